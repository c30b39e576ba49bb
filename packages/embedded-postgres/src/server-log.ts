import { copyFile, open, stat, truncate } from 'node:fs/promises';
import { EmbeddedServerError } from './home.js';

const MAXIMUM_LENGTH_BYTES = 10 * 1024 * 1024;
const TAIL_LENGTH_BYTES = 8 * 1024;

/** Returns the length of the log in bytes; 0 if there is no log yet. */
export async function logLengthBytes(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** Returns the text of the log after the first `offsetBytes`, but at most the last 8 KiB of that text. */
export async function logTextSince(path: string, offsetBytes: number): Promise<string> {
  const file = await open(path, 'a+', 0o600);
  try {
    const end = (await file.stat()).size;
    const start = Math.max(Math.min(offsetBytes, end), end - TAIL_LENGTH_BYTES, 0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Moves the text of the log to `PATH.1` if it exceeds 10 MiB. Lines that are written meanwhile may be lost. */
export async function boundLog(path: string): Promise<void> {
  if ((await logLengthBytes(path)) <= MAXIMUM_LENGTH_BYTES) return;
  // The server keeps its file descriptor, so the file is emptied instead of renamed.
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** Makes an error that contains the last lines of the log. */
export async function errorWithLog(
  message: string,
  path: string,
  sinceBytes = 0,
): Promise<EmbeddedServerError> {
  const lines = (await logTextSince(path, sinceBytes)).trim().split('\n').slice(-15).join('\n');
  return new EmbeddedServerError(lines === '' ? message : `${message} Last lines of ${path}:\n${lines}`);
}
