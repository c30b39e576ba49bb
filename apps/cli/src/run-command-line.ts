import { SettingsError } from '@takt/runtime';
import { CommanderError } from 'commander';
import { UsageError } from './command-error.js';
import { createProgram } from './create-program.js';
import { describeError, describeStack } from './output/describe-error.js';
import type { Terminal } from './terminal.js';

const DONE = 0;
const COULD_NOT = 1;
const USAGE = 2;

/** Runs one command and gives its exit code. What goes wrong is said in one line on standard error. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await (await createProgram(args, terminal)).parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    // Commander has said what there is to say; it exits with 0 where help was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE;
    for (const line of linesFor(error, terminal)) terminal.say(line);
    return isUsage(error) ? USAGE : COULD_NOT;
  }
}

function isUsage(error: unknown): boolean {
  return error instanceof UsageError || error instanceof SettingsError;
}

function linesFor(error: unknown, { environment }: Terminal): readonly string[] {
  // Wrong settings are told together, each in a line.
  const lines = error instanceof SettingsError ? error.message.split('\n') : [describeError(error)];
  const said = lines.map((line) => `takt: ${line}`);
  return environment['LOG_LEVEL'] === 'debug' ? [...said, describeStack(error)] : said;
}
