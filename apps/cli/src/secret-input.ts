import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UsageError } from './errors.js';

/** Reads a line from standard input; resolves at its end, so that typing Enter is enough. */
export async function readFirstLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}

const PASSWORD_BYTES = 15;

/**
 * Returns a random password of 120 bits, or the one in standard input if `source` is `-`. Throws a UsageError for any
 * other source, because lists of processes show passwords in arguments; the message does not repeat it.
 */
export async function obtainPassword(
  source: string | undefined,
  input: Readable,
): Promise<{ readonly password: string; readonly isMadeUp: boolean }> {
  if (source === undefined) return { password: inventPassword(), isMadeUp: true };
  if (source === '-') return { password: await readFirstLine(input), isMadeUp: false };
  throw new UsageError('--password is -, for standard input: lists of processes show passwords in arguments');
}

export function inventPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
