import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const TAKT = fileURLToPath(new URL('../../../bin/takt.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type TaktEnvironment = Readonly<Record<string, string>>;

/** Runs the real command to its end. Of the environment only PATH and HOME are passed on. */
export async function runTakt(
  args: readonly string[],
  environment: TaktEnvironment,
  input: string | Buffer = '',
): Promise<Outcome> {
  const child = spawnTakt(args, environment);
  // A command that ends without reading its input closes the pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

export function spawnTakt(
  args: readonly string[],
  environment: TaktEnvironment,
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [TAKT, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}
