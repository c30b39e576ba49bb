import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TaktEnvironment, TaktOutcome } from '@takt/database/testing';
import { runCommandLine } from '../../src/run-command-line.js';
import type { Terminal } from '../../src/terminal.js';

/**
 * Runs a takt command in the process of the test, which takes 20 ms where a process of its own takes 700 ms. Nothing
 * but the arguments, this environment and this input reaches the command.
 */
export async function runTakt(
  args: readonly string[],
  environment: TaktEnvironment,
  input: string | Buffer = '',
): Promise<TaktOutcome> {
  const output = new PassThrough();
  const errors = new PassThrough();
  const [stdout, stderr] = [text(output), text(errors)];
  let hasFailed = false;
  const write = async (written: string) => void output.write(written);
  const terminal: Terminal = {
    environment,
    input: Readable.from([Buffer.from(input)]),
    output: () => output,
    errors,
    columns: undefined,
    progressColumns: undefined,
    write,
    print: (line) => write(`${line}\n`),
    say: (line) => void errors.write(`${line}\n`),
    fail: () => {
      hasFailed = true;
    },
    stopRequest: () => new AbortController().signal,
  };
  const code = await runCommandLine(args, terminal);
  output.end();
  errors.end();
  return { code: code === 0 && hasFailed ? 1 : code, stdout: await stdout, stderr: await stderr };
}
