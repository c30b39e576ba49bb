import { createHash } from 'node:crypto';
import { request } from 'node:http';

const LINE_END = 0x0a;

/** What came of a CSV whose rows hold no line ends. */
export interface TakenExport {
  readonly status: number;
  /** The header is one. */
  readonly lines: number;
  readonly bytes: number;
  /** SHA-256 of the whole. */
  readonly digest: string;
  /** Whether it ended as HTTP says, and not with its connection. */
  readonly isWhole: boolean;
  readonly durationMs: number;
}

/** Takes an export as fast as it comes and keeps nothing of it; `onBytes` is told how much there is by now. */
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
      // What breaks off is told by `complete` below.
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
