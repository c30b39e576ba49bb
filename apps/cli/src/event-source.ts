import { isUtf8 } from 'node:buffer';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { describeProblems, findPublishingProblems } from '@takt/events';
import { CommandError } from './errors.js';
import { printable } from './terminal.js';

/** Something to read events from, as often as needed. */
export interface EventSource {
  /** As the user named it, fit to be printed. */
  readonly name: string;
  /** Bytes to read, compressed where the file is. */
  readonly sizeBytes: number;
  /**
   * Reads from the begin what was there when it was opened, as a file may grow; tells how many bytes of `sizeBytes` have
   * been read.
   */
  read(onRead?: (bytes: number) => void): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens a file, or standard input for `-`. What cannot be read twice (standard input, a pipe) is copied to a
 * temporary file first. Throws a CommandError where there is nothing to read.
 */
export async function openEventSource(name: string, standardInput: Readable): Promise<EventSource> {
  try {
    if (name === '-') return fromHandle(name, await spool(standardInput));
    const isFile = (await stat(name)).isFile();
    return fromHandle(name, isFile ? await open(name) : await spool(createReadStream(name)));
  } catch (error) {
    throw new CommandError(`${name} cannot be read`, { cause: error });
  }
}

async function fromHandle(name: string, handle: FileHandle): Promise<EventSource> {
  const { size } = await handle.stat();
  return {
    name: printable(name),
    sizeBytes: size,
    read: (onRead) => {
      const bytes = counted(readPrefix(handle, size), onRead);
      return name.endsWith('.gz') ? unzip(bytes) : bytes;
    },
    close: () => handle.close(),
  };
}

async function* readPrefix(handle: FileHandle, sizeBytes: number): AsyncGenerator<Buffer> {
  if (sizeBytes > 0) yield* handle.createReadStream({ start: 0, end: sizeBytes - 1, autoClose: false });
}

async function* counted(
  bytes: AsyncIterable<Buffer>,
  onRead: ((bytes: number) => void) | undefined,
): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    onRead?.(read);
    yield chunk;
  }
}

async function* unzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const plain = createGunzip();
  // An error of either stream ends the other; it reaches the reader of the plain one.
  const done = pipeline(compressed, plain).catch(() => undefined);
  yield* plain;
  await done;
}

/** Copies to a file that has no name any more and is gone with its handle, however the process ends. */
async function spool(input: Readable): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-publish-'));
  try {
    const path = join(folder, 'events');
    await pipeline(input, createWriteStream(path, { mode: 0o600 }));
    return await open(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A line of a file of events, without its line break. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Why the line cannot be read; then the text is empty. */
  readonly problem?: string;
}

const LINE_FEED = 10;
/** Far above any event; a file without line breaks must not fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** The lines of a stream of bytes, some at a time: a step for each line would cost more than its content. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const begin = (part: Buffer) => {
    begunBytes += part.length;
    // What is too long already is counted, not kept.
    if (begunBytes <= maxLineBytes) {
      begun.push(part);
    } else {
      begun = [];
    }
  };
  const finish = (): Line => {
    number += 1;
    const line =
      begunBytes > maxLineBytes
        ? { number, text: '', problem: `is longer than ${maxLineBytes} bytes` }
        : toLine(number, begun.length === 1 ? (begun[0] ?? Buffer.alloc(0)) : Buffer.concat(begun));
    begun = [];
    begunBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      begin(chunk.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    if (start < chunk.length) begin(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (begunBytes > 0) yield [finish()];
}

function toLine(number: number, bytes: Buffer): Line {
  // Decoding would put a replacement character in the place of what is wrong, and nobody would know.
  if (!isUtf8(bytes)) return { number, text: '', problem: 'is not UTF-8' };
  const text = bytes.toString('utf8');
  return { number, text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
}

/** What a line of a file holds: an event that may be published, nothing, or something else. */
type CheckedLine =
  | { readonly kind: 'event'; readonly event: unknown }
  | { readonly kind: 'blank' }
  | { readonly kind: 'invalid'; readonly problems: string };

/** Judges a line as the publisher will, so that what is right here is taken there. */
export function checkLine({ text, problem }: Line): CheckedLine {
  if (problem !== undefined) return { kind: 'invalid', problems: problem };
  if (text.trim() === '') return { kind: 'blank' };
  try {
    const event: unknown = JSON.parse(text);
    const problems = findPublishingProblems(event);
    return problems.length === 0
      ? { kind: 'event', event }
      : { kind: 'invalid', problems: describeProblems(problems) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'invalid', problems: `is not JSON: ${reason}` };
  }
}
