import { once } from 'node:events';
import { runCommandLine } from './run-command-line.js';
import type { Terminal } from './terminal.js';

let hasFailed = false;
let mustBeRead = false;
const write = async (text: string) => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
};
const terminal: Terminal = {
  environment: process.env,
  input: process.stdin,
  output: () => {
    mustBeRead = true;
    return process.stdout;
  },
  errors: process.stderr,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  progressColumns: process.stderr.isTTY ? process.stderr.columns : undefined,
  write,
  print: (line) => write(`${line}\n`),
  say: (line) => {
    process.stderr.write(`${line}\n`);
  },
  fail: () => {
    hasFailed = true;
  },
  stopRequest: () => {
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    process.once('SIGTERM', () => stop.abort());
    return stop.signal;
  },
};

// A closed pipe, as in `takt generate | head`, is not a failure, unless the output is useful only as a whole.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const isEnough = error.code === 'EPIPE' && !mustBeRead;
  if (!isEnough) terminal.say('takt: standard output was not read to its end: the output is incomplete');
  process.exit(isEnough ? 0 : 1);
});

const exitCode = await runCommandLine(process.argv.slice(2), terminal);
process.stdout.write('', () => process.exit(exitCode === 0 && hasFailed ? 1 : exitCode));
