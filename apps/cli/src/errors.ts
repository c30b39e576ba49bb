import { printable } from './terminal.js';

/** The command failed; the message says what is wrong and what to do. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command was called wrongly; the message says how to call it. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Codes of errors of a full or broken disk, whose messages name no file. */
const OF_DISKS: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'];

export function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ('path' in error || OF_DISKS.includes(error.code));
}

const MAX_CAUSES = 5;

/**
 * Describes an error and its causes in one line. A message that repeats that of its cause is shown once. An
 * AggregateError, as for a host with several addresses, is shown by its first error.
 */
export function describeError(error: unknown): string {
  const messages: string[] = [];
  let current: unknown = error;
  while (current !== undefined && current !== null && messages.length < MAX_CAUSES) {
    const message = messageOf(current);
    if (message !== '' && !messages.some((said) => said.includes(message))) messages.push(message);
    current = current instanceof Error ? current.cause : undefined;
  }
  return printable(messages.join(': ') || 'an error without a message');
}

/** The stacks of an error and its causes, for LOG_LEVEL=debug. */
export function describeStack(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const cause = error.cause === undefined ? '' : `\ncaused by ${describeStack(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
