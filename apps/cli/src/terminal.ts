import type { Readable, Writable } from 'node:stream';

/** The process as commands see it. Tests can replace it; main.ts creates it for the real process. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  /**
   * Returns standard output for binary results. After this call, the command fails if its output is not read to the
   * end.
   */
  readonly output: () => Writable;
  /** Receives messages and progress bars. */
  readonly errors: Writable;
  /** Width of standard output in columns. If standard output is not a terminal, it is undefined and nothing is cut. */
  readonly columns: number | undefined;
  /**
   * Width of standard error in columns. If standard error is not a terminal, it is undefined and there is no progress
   * bar.
   */
  readonly progressColumns: number | undefined;
  /** Writes text unchanged to standard output. Resolves when the reader can take more. */
  write(text: string): Promise<void>;
  /** Writes a line of a result to standard output. */
  print(line: string): Promise<void>;
  /** Writes a message to standard error. */
  say(line: string): void;
  /**
   * Sets the exit code to 1, because the command found a problem or could not do everything. The command may continue
   * to print.
   */
  fail(): void;
  /**
   * Returns a signal that is aborted by SIGINT or SIGTERM. If this is never called, SIGINT and SIGTERM end the process
   * at once.
   */
  stopRequest(): AbortSignal;
}

/**
 * Matches control characters, including line breaks, and characters that change the text direction or are invisible.
 */
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/**
 * Makes text from elsewhere safe for a terminal, as one line. Unprintable characters become \uXXXX, which means the
 * same in JSON.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, toEscape);
}

/** Makes indented JSON safe for a terminal, as `printable` does, but keeps the line breaks between values. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
