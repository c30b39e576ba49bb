import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ByteRoom } from './byte-room.js';
import { SMALL_BODY_BYTES } from './limits.js';

export interface DecodeOptions {
  readonly maxBytes: number;
  /** What a body that expands takes up in memory; undefined: that is counted already. */
  readonly room: ByteRoom | undefined;
  /** In the time of performance.now(). */
  readonly untilMs: number;
}

/** `leave`: to be called when the bytes are no longer in memory. */
export type Decoded =
  | { readonly bytes: Buffer; readonly leave: () => void }
  | { readonly fault: 'tooLarge' | 'undecodable' | 'full' };

const expand = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip);
const NOTHING = () => undefined;

/**
 * What a gzip body holds. Most are small and take no room; what turns out to be larger is expanded a second time, in room
 * for the largest: what a body says of its own size is whatever its sender wrote.
 */
export async function decodeBody(body: Buffer, { maxBytes, room, untilMs }: DecodeOptions): Promise<Decoded> {
  const first = await attempt(body, room === undefined ? maxBytes : Math.min(SMALL_BODY_BYTES, maxBytes));
  const isDone = !('fault' in first) || first.fault !== 'tooLarge';
  if (isDone || room === undefined || maxBytes <= SMALL_BODY_BYTES) return first;
  const leave = await new Promise<(() => void) | undefined>((resolve) =>
    room.enter(maxBytes, untilMs, { go: resolve, full: () => resolve(undefined) }),
  );
  if (leave === undefined) return { fault: 'full' };
  const second = await attempt(body, maxBytes);
  if (!('fault' in second)) return { ...second, leave };
  leave();
  return second;
}

async function attempt(body: Buffer, maxOutputLength: number): Promise<Exclude<Decoded, { fault: 'full' }>> {
  try {
    return { bytes: await expand(body, { maxOutputLength }), leave: NOTHING };
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { fault: isTooLarge ? 'tooLarge' : 'undecodable' };
  }
}
