import { isUtf8 } from 'node:buffer';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { describeProblems, type PreparedEvent, prepareEvent } from '@takt/events';
import { CommandError } from './errors.js';
import { printable } from './terminal.js';

export interface EventSource {
  /** The name of the source that the user gave, safe to print. */
  readonly name: string;
  /** Number of bytes to read. If the file is compressed, it is the compressed size. */
  readonly sizeBytes: number;
  /**
   * Reads the source from its start up to the size that it had when it was opened, because a file may grow. Calls
   * `onRead` with the number of bytes that have been read so far, out of `sizeBytes`.
   */
  read(onRead?: (bytes: number) => void): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens a file, or standard input for `-`. A source that cannot be read twice (standard input, a pipe) is copied to a
 * temporary file. Throws a CommandError if there is nothing to read.
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
  // An error of either stream destroys the other stream. The reader of the decompressed stream gets the error.
  const done = pipeline(compressed, plain).catch(() => undefined);
  yield* plain;
  await done;
}

/** Copies the input to an unlinked file. Such a file disappears with its handle, however the process ends. */
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

/** A line of a file with events, without its line break. */
export interface Line {
  /** Number of the line, counted from 1. */
  readonly number: number;
  readonly text: string;
  /** The reason why the line cannot be read. The text of the line is empty in this case. */
  readonly problem?: string;
}

const LINE_FEED = 10;
/**
 * Maximum size of a line. It is far above the size of any event. It bounds the memory for a file without line breaks.
 */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads the lines of a stream of bytes in groups, because a step for each line would cost more than reading the line.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const begin = (part: Buffer) => {
    begunBytes += part.length;
    // A line that is already too long is only measured and not stored.
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
  // The bytes are checked first, because decoding would silently replace invalid bytes.
  if (!isUtf8(bytes)) return { number, text: '', problem: 'is not UTF-8' };
  const text = bytes.toString('utf8');
  return { number, text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
}

type CheckedLine =
  | { readonly kind: 'event'; readonly event: PreparedEvent }
  | { readonly kind: 'blank' }
  | { readonly kind: 'invalid'; readonly problems: string };

/** Checks a line by the rules of the publisher. So the publisher accepts every line that passes. */
export function checkLine({ text, problem }: Line): CheckedLine {
  if (problem !== undefined) return { kind: 'invalid', problems: problem };
  if (text.trim() === '') return { kind: 'blank' };
  try {
    const result = prepareEvent(JSON.parse(text));
    return result.ok
      ? { kind: 'event', event: result.prepared }
      : { kind: 'invalid', problems: describeProblems(result.problems) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'invalid', problems: `is not JSON: ${reason}` };
  }
}
