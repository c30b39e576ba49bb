import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UsageError } from './errors.js';

/** Reads a line from standard input. Resolves at the end of the line, so that pressing Enter is enough. */
export async function readFirstLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}

const PASSWORD_BYTES = 15;

/**
 * Returns a random password of 120 bits, or the password in standard input if `source` is `-`. Any other source throws
 * a UsageError, because lists of processes show passwords that are given as arguments. The message of the error does
 * not repeat the argument.
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
