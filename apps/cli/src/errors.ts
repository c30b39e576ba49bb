import { printable } from './terminal.js';

/** Thrown if a command fails. The message says what is wrong and what to do. The exit code is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Thrown if a command was called wrongly. The message says how to call it. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Codes of the errors of a full or broken disk. The messages of these errors name no file. */
const OF_DISKS: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'];

export function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ('path' in error || OF_DISKS.includes(error.code));
}

const MAX_CAUSES = 5;

/**
 * Describes an error and its causes in one line. If an error has the same message as its cause, the message is shown
 * once. An AggregateError, which occurs for a host with several addresses, is shown by its first error.
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

/** Returns the stack traces of an error and its causes, for LOG_LEVEL=debug. */
export function describeStack(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const cause = error.cause === undefined ? '' : `\ncaused by ${describeStack(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  // The message of Citus has several lines, and a hint about the client's own connection.
  const [, node, reason] = /connection to the remote node \S+@(\S+) failed[^:]*: (.*)/.exec(message) ?? [];
  return node === undefined ? message : `the node ${node} of the cluster is away (${reason})`;
}
