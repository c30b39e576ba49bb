import { PassThrough } from 'node:stream';
import type { Terminal } from '../../src/terminal.js';

/** A terminal for what a command calls, and what was written to it. */
export interface TestTerminal {
  readonly terminal: Terminal;
  /** What stands on standard error since the last call. */
  written(): string;
}

/** Standard error has so many columns; undefined: it is no terminal. */
export function openTestTerminal(progressColumns?: number): TestTerminal {
  const errors = new PassThrough({ encoding: 'utf8' });
  const nothing = async () => undefined;
  const terminal: Terminal = {
    environment: {},
    input: errors,
    output: () => errors,
    errors,
    columns: undefined,
    progressColumns,
    write: nothing,
    print: nothing,
    say: (line) => void errors.write(`${line}\n`),
    fail: () => undefined,
    stopRequest: () => new AbortController().signal,
  };
  return { terminal, written: () => String(errors.read() ?? '') };
}
