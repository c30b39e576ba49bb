import type { Readable, Writable } from 'node:stream';

/** What a command sees of the process it runs in. Only main.ts knows the real one. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  /** Where talk goes; progress bars draw on it. */
  readonly errors: Writable;
  /** Columns of standard output, undefined where that is no terminal: then nothing is fitted or cut. */
  readonly columns: number | undefined;
  /** Standard error is a terminal, so a progress bar can be drawn. */
  readonly showsProgress: boolean;
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
