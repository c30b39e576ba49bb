import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CommandError } from '../command-error.js';
import { printable } from '../output/printable.js';

/** Something to read events from, as often as needed. */
export interface EventSource {
  /** As the user named it, fit to be printed. */
  readonly name: string;
  /** Bytes to read, compressed where the file is. */
  readonly sizeBytes: number;
  /** Reads from the begin; tells how many bytes of `sizeBytes` have been read. */
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
      const bytes = counted(handle.createReadStream({ start: 0, autoClose: false }), onRead);
      return name.endsWith('.gz') ? unzip(bytes) : bytes;
    },
    close: () => handle.close(),
  };
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
