import type { Readable, Writable } from 'node:stream';

/** The process as commands see it. Only main.ts knows the real one. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  /** Standard output for binary results; afterwards the command fails if they are not read to their end. */
  readonly output: () => Writable;
  /** Receives messages and progress bars. */
  readonly errors: Writable;
  /** Columns of standard output; undefined if it is no terminal: then nothing is cut. */
  readonly columns: number | undefined;
  /** Columns of standard error; undefined if it is no terminal: then there is no progress bar. */
  readonly progressColumns: number | undefined;
  /** Writes text unchanged to standard output; resolves when the reader can take more. */
  write(text: string): Promise<void>;
  /** Writes a line of a result to standard output. */
  print(line: string): Promise<void>;
  /** Writes a message to standard error. */
  say(line: string): void;
  /** Sets exit code 1: the command found a problem or could not do everything. It may still print. */
  fail(): void;
  /** Aborted by SIGINT or SIGTERM. Without a call, these end the process at once. */
  stopRequest(): AbortSignal;
}

/** Control characters, including line breaks, and those that change text direction or are invisible. */
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/**
 * Text from outside as one line that cannot affect a terminal: unprintable characters become \uXXXX, which is
 * equivalent in JSON.
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
