import { createHash } from 'node:crypto';
import { request } from 'node:http';

const LINE_END = 0x0a;

/** The result of a CSV download. No row may contain a line break. */
export interface TakenExport {
  readonly status: number;
  /** Number of lines, including the header. */
  readonly lines: number;
  readonly bytes: number;
  /** SHA-256 digest of the whole file. */
  readonly digest: string;
  /** True if the answer ended as HTTP requires. False if the connection was closed before the end. */
  readonly isWhole: boolean;
  readonly durationMs: number;
}

/** Downloads an export as fast as possible without storing it. Calls `onBytes` with the number of bytes so far. */
export function takeExport(
  address: string,
  token: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<TakenExport> {
  const startedAtMs = performance.now();
  const hash = createHash('sha256');
  let [lines, bytes] = [0, 0];
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.on('data', (piece: Buffer) => {
        hash.update(piece);
        for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) lines += 1;
        bytes += piece.length;
        onBytes(bytes);
      });
      // Ignores the error itself, because `complete` below reports an interruption.
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({
          ...{ status: response.statusCode ?? 0, lines, bytes, digest: hash.digest('hex') },
          ...{ isWhole: response.complete, durationMs: performance.now() - startedAtMs },
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
