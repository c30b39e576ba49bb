import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Leave, TurnedAway } from '@takt/runtime';
import { SMALL_BODY_BYTES } from './limits.js';

/** `leave`: to be called when the bytes are no longer in memory. */
export type Decoded =
  | { readonly bytes: Buffer; readonly leave: Leave }
  | { readonly fault: 'tooLarge' | 'undecodable' | 'full' };

const expand = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip);
const NOTHING = () => undefined;

/**
 * What a gzip body holds. Most are small and take no room; what turns out to be larger is expanded a second time, in room
 * for the largest: what a body says of its own size is whatever its sender wrote.
 * @param enter takes room for the largest; undefined: what it takes up is counted already
 */
export async function decodeBody(
  body: Buffer,
  maxBytes: number,
  enter: (() => Promise<Leave | TurnedAway>) | undefined,
): Promise<Decoded> {
  const first = await attempt(body, enter === undefined ? maxBytes : Math.min(SMALL_BODY_BYTES, maxBytes));
  const isDone = !('fault' in first) || first.fault !== 'tooLarge';
  if (isDone || enter === undefined || maxBytes <= SMALL_BODY_BYTES) return first;
  const leave = await enter();
  if (typeof leave === 'string') return { fault: 'full' };
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
