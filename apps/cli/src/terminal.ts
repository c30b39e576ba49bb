import type { Readable, Writable } from 'node:stream';

/** What a command sees of the process it runs in. Only main.ts knows the real one. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  /** Standard output, for results that are no text; from then on, the command fails where they are not read to their end. */
  readonly output: () => Writable;
  /** Where talk goes; progress bars draw on it. */
  readonly errors: Writable;
  /** Columns of standard output, undefined where that is no terminal: then nothing is fitted or cut. */
  readonly columns: number | undefined;
  /** Columns of standard error, undefined where that is no terminal: then no progress bar is drawn. */
  readonly progressColumns: number | undefined;
  /** Writes to standard output, the text as it is; resolves when the reader can take more. */
  write(text: string): Promise<void>;
  /** Writes one line of a result to standard output. */
  print(line: string): Promise<void>;
  /** Writes one line of talk to standard error. */
  say(line: string): void;
  /** The command found something or could not do all: exit code 1. It may still print what it has. */
  fail(): void;
  /** Aborted by SIGINT or SIGTERM, which end the process at once where nobody has asked for this. */
  stopRequest(): AbortSignal;
}

/** Control characters (line breaks too), and those that change the direction of text or hide in it. */
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/**
 * Text from outside as one line that does nothing to a terminal: what cannot be printed is shown as \uXXXX, which
 * in JSON text means the same as before.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, toEscape);
}

/** The same for JSON text that was indented: line breaks between its values stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
