/** The embedded PostgreSQL server cannot be had; the message says what is wrong and what to do about it. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

/** The code of a failed system call, such as `ENOENT`, or undefined when `error` is of another kind. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'run Takt as the user who made this TAKT_HOME, or point TAKT_HOME to another directory',
  EPERM: 'run Takt as the user who made this TAKT_HOME, or point TAKT_HOME to another directory',
  EROFS: 'point TAKT_HOME to a directory that can be written to',
  ENOSPC: 'free disk space there',
};

/** The error with advice, unless it has some already. */
export function withAdvice(error: unknown, home: string): EmbeddedServerError {
  if (error instanceof EmbeddedServerError) return error;
  const advice = ADVICE[systemErrorCode(error) ?? ''] ?? 'see its log in postgres/server.log there';
  return new EmbeddedServerError(`The embedded server of ${home} failed (${messageOf(error)}): ${advice}.`, {
    cause: error,
  });
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
