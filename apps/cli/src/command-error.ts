/** A command could not do its work; the message says what is wrong and what to do. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command was called in a way that cannot work; the message says how to. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
