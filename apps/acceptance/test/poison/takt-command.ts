import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TAKT = fileURLToPath(new URL('../../../../cli/bin/takt.js', import.meta.url));
const DEADLINE_MS = 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;

export interface TaktResult {
  readonly exitCode: number;
  /** Standard output. */
  readonly result: string;
  /** Standard error. */
  readonly talk: string;
}

/** Runs the takt command as a process of its own, as an operator would. */
export function runTakt(
  words: readonly string[],
  { databaseUrl, queueUrl }: { readonly databaseUrl: string; readonly queueUrl: string },
): Promise<TaktResult> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl };
  const options = { env, timeout: DEADLINE_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [TAKT, ...words], options, (_, result, talk) =>
      // Without an exit code it was ended: by a signal, or at the deadline.
      resolve({ exitCode: child.exitCode ?? -1, result, talk }),
    );
  });
}
