import type { Readable, Writable } from 'node:stream';

/** The process as commands see it, so that tests can replace it; main.ts creates the real one. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  /** Standard output for binary results. After this call the command fails if its output is not read to the end. */
  readonly output: () => Writable;
  /** Receives messages and progress bars. */
  readonly errors: Writable;
  /** Width of standard output in columns; undefined if it is not a terminal: then nothing is cut. */
  readonly columns: number | undefined;
  /** Width of standard error in columns; undefined if it is not a terminal: then there is no progress bar. */
  readonly progressColumns: number | undefined;
  /** Writes text unchanged to standard output; resolves when the reader can take more. */
  write(text: string): Promise<void>;
  /** Writes a line of a result to standard output. */
  print(line: string): Promise<void>;
  /** Writes a message to standard error. */
  say(line: string): void;
  /** Sets exit code 1: the command found a problem or could not do everything. It may continue to print. */
  fail(): void;
  /** Returns a signal that SIGINT or SIGTERM aborts. If it is never called, these end the process at once. */
  stopRequest(): AbortSignal;
}

/** Control characters, including line breaks, and those that change text direction or are invisible. */
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/**
 * Makes foreign text safe for a terminal, as one line: unprintable characters become \uXXXX, which means the same in
 * JSON.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, toEscape);
}

/** Like printable, for indented JSON: line breaks between values stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
