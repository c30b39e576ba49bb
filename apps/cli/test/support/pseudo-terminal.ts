import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TaktEnvironment } from '@takt/database/testing';

const TAKT = fileURLToPath(new URL('../../../bin/takt.js', import.meta.url));

/** The takt command in a terminal. The result is the output that a person would see. */
export interface PseudoTerminal {
  /** The process of `script`, which runs the command in the terminal. */
  readonly child: ChildProcess;
  /** Returns everything that was written, with control characters. */
  written(): string;
  /** Returns the visible lines without colours. For a line that was drawn several times, returns the last drawing. */
  lines(): readonly string[];
  /** Types Ctrl-C. */
  interrupt(): void;
}

/** Runs the command in a terminal with this number of columns and rows. Needs the program `script` of util-linux. */
export function openPseudoTerminal(
  args: readonly string[],
  environment: TaktEnvironment,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): PseudoTerminal {
  const command = [process.execPath, TAKT, ...args].map((word) => `'${word}'`).join(' ');
  const line = `stty cols ${columns} rows ${rows} && exec ${command}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SHELL: '/bin/sh', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return {
    child,
    written: () => text,
    lines: () => text.split('\r\n').map(asShown),
    interrupt: () => child.stdin.write('\u0003'),
  };
}

/** Removes the colours of a line. If the line was drawn several times, returns the last drawing. */
function asShown(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal obeys.
  const plain = line.replace(/\u001b\[[\d;]*[mK]/g, '');
  return plain.slice(plain.lastIndexOf('\r') + 1);
}
