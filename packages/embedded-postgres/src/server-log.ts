import { copyFile, open, truncate } from 'node:fs/promises';
import { EmbeddedServerError } from './embedded-server-error.js';

const MAXIMUM_LENGTH_BYTES = 10 * 1024 * 1024;
const TAIL_LENGTH_BYTES = 8 * 1024;

/** The file that the server and its guardian append to. */
export interface ServerLog {
  readonly path: string;
  /** To be given to child processes. */
  readonly descriptor: number;
  lengthBytes(): Promise<number>;
  /** What was written after the first `offsetBytes`, at most the last 8 KiB of it. */
  textSince(offsetBytes: number): Promise<string>;
  note(text: string): Promise<void>;
  /** Moves the text to `PATH.1` when it has grown past 10 MiB. What is written meanwhile may be lost. */
  bound(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the log for appending and makes it if it is missing. */
export async function openServerLog(path: string): Promise<ServerLog> {
  const file = await open(path, 'a+', 0o600);
  const lengthBytes = async () => (await file.stat()).size;
  const log: ServerLog = {
    path,
    descriptor: file.fd,
    lengthBytes,
    async textSince(offsetBytes) {
      const end = await lengthBytes();
      const start = Math.max(Math.min(offsetBytes, end), end - TAIL_LENGTH_BYTES, 0);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
      return buffer.toString('utf8', 0, bytesRead);
    },
    async note(text) {
      await file.write(`${new Date().toISOString()} guardian: ${text}\n`);
    },
    async bound() {
      if ((await lengthBytes()) <= MAXIMUM_LENGTH_BYTES) return;
      // The writers keep their descriptor, so the file is emptied rather than renamed.
      await copyFile(path, `${path}.1`);
      await truncate(path);
    },
    close: () => file.close(),
  };
  return log;
}

/** An error that ends with the last lines of the log. */
export async function errorWithLog(
  message: string,
  path: string,
  sinceBytes = 0,
): Promise<EmbeddedServerError> {
  const log = await openServerLog(path);
  try {
    const lines = (await log.textSince(sinceBytes)).trim().split('\n').slice(-15).join('\n');
    return new EmbeddedServerError(lines === '' ? message : `${message} Last lines of ${path}:\n${lines}`);
  } finally {
    await log.close();
  }
}
