import { PassThrough } from 'node:stream';
import type { Terminal } from '../../src/terminal.js';

/** A simulated terminal for the called code. It records the output. */
export interface TestTerminal {
  readonly terminal: Terminal;
  /** Returns what was written to the standard error since the last call. */
  written(): string;
}

/**
 * Opens a terminal. `progressColumns` is the width of its standard error. It is undefined if the standard error is no
 * terminal.
 */
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
