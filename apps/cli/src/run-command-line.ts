import { SettingsError } from '@takt/runtime';
import { Command, CommanderError } from 'commander';
import { describeError, describeStack, UsageError } from './errors.js';
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

interface CommandModule {
  /** Adds the command with its options; it runs when the program has parsed them. */
  readonly addCommand: (program: Command, terminal: Terminal) => void;
}

/**
 * Every command, in the order of the help; a new one is a file beside these and a line here. Only the one that is
 * called is loaded: all of them together take longer than most of them run.
 */
const COMMANDS: ReadonlyMap<string, () => Promise<CommandModule>> = new Map([
  ['start', () => import('./commands/start.js')],
  ['migrate', () => import('./commands/migrate.js')],
  ['login', () => import('./commands/login.js')],
  ['company', () => import('./commands/company.js')],
  ['client', () => import('./commands/client.js')],
  ['user', () => import('./commands/user.js')],
  ['token', () => import('./commands/token.js')],
  ['publish', () => import('./commands/publish.js')],
  ['drain', () => import('./commands/drain.js')],
  ['generate', () => import('./commands/generate.js')],
  ['audit', () => import('./commands/audit.js')],
  ['rebuild', () => import('./commands/rebuild.js')],
  ['prune', () => import('./commands/prune.js')],
  ['rejected', () => import('./commands/rejected.js')],
  ['unlisted', () => import('./commands/unlisted.js')],
  ['plan', () => import('./commands/plan.js')],
  ['status', () => import('./commands/status.js')],
  ['maintain', () => import('./commands/maintain.js')],
  ['backup', () => import('./commands/backup.js')],
  ['restore', () => import('./commands/restore.js')],
]);

/** Where no terminal says how wide it is. */
const HELP_COLUMNS = 110;

const SETTINGS_HELP = `
Uses DATABASE_URL and QUEUE_URL; without them the embedded server in TAKT_HOME (.takt), which is started where it
does not run. Exit codes: 0 done, 1 found something or could not, 2 wrong usage. LOG_LEVEL=debug shows where an
error comes from.`;

/** The command line for these arguments. It throws a CommanderError instead of ending the process. */
async function createProgram(args: readonly string[], terminal: Terminal): Promise<Command> {
  const program = new Command('takt')
    .description('Planned against actual production times: completion events in, exact figures out.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.write(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
      getOutHelpWidth: () => terminal.columns ?? HELP_COLUMNS,
      getErrHelpWidth: () => terminal.columns ?? HELP_COLUMNS,
    })
    .showHelpAfterError('(takt COMMAND --help says more)')
    .addHelpText('after', SETTINGS_HELP);
  const called = COMMANDS.get(args[0] ?? '');
  const loaded = await Promise.all(
    (called === undefined ? [...COMMANDS.values()] : [called]).map((load) => load()),
  );
  for (const { addCommand } of loaded) addCommand(program, terminal);
  return program;
}
