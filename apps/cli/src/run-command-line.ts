import { SettingsError } from '@takt/run/settings';
import { Command, CommanderError } from 'commander';
import { describeError, describeStack, UsageError } from './errors.js';
import type { Terminal } from './terminal.js';
import { readVersion } from './version.js';

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
  /** Gives the command its options, or commands of its own; it runs when the program has parsed them. */
  readonly addCommand: (command: Command, terminal: Terminal) => void;
}

/**
 * Every command with what the help says of it, in the order of the help; a new one is a file beside these and a line
 * here. Only the one that is called is loaded: all of them together take longer than most of them run.
 */
const COMMANDS: readonly (readonly [string, string, () => Promise<CommandModule>])[] = [
  [
    'start',
    'start everything: database, migrations, worker, API, intake, dashboard; demo data where no company is registered',
    () => import('./commands/start.js'),
  ],
  [
    'migrate',
    'bring the database up to date; safe when several start at once',
    () => import('./commands/migrate.js'),
  ],
  [
    'login',
    'the log-ins with which the apps connect to the database, each with the rights of its app alone',
    () => import('./commands/login.js'),
  ],
  ['company', 'the companies whose events are taken', () => import('./commands/company.js')],
  [
    'client',
    'the programs that ask the API, and what they are permitted',
    () => import('./commands/client.js'),
  ],
  ['user', 'the people who sign in, and what they are trusted with', () => import('./commands/user.js')],
  [
    'token',
    'the access tokens with which the API is asked, and events are published over HTTP',
    () => import('./commands/token.js'),
  ],
  [
    'publish',
    'check events and put them into their queues; prints: published N',
    () => import('./commands/publish.js'),
  ],
  [
    'drain',
    'wait until both queues are empty and idle; prints: completed N failed N',
    () => import('./commands/drain.js'),
  ],
  [
    'generate',
    'print realistic events of invented factories as NDJSON',
    () => import('./commands/generate.js'),
  ],
  [
    'audit',
    'recompute every figure with an independent implementation, and what searches look into, and compare exactly',
    () => import('./commands/audit.js'),
  ],
  [
    'rebuild',
    'recompute every figure from the stored operations and repair what differs, while workers go on',
    () => import('./commands/rebuild.js'),
  ],
  [
    'prune',
    'fold old completed operations into sums that keep every figure',
    () => import('./commands/prune.js'),
  ],
  ['rejected', 'the events that were rejected, and why', () => import('./commands/rejected.js')],
  [
    'unlisted',
    'operations that wait for the master data of their structure version',
    () => import('./commands/unlisted.js'),
  ],
  ['plan', 'what a load needs, and what planned times should be', () => import('./commands/plan.js')],
  [
    'status',
    'queue depths, rate, lag, last commit, rejected events, connected workers',
    () => import('./commands/status.js'),
  ],
  [
    'maintain',
    'keep tables and indexes small, while everything goes on',
    () => import('./commands/maintain.js'),
  ],
  [
    'backup',
    'write all of the database into one file, while everything goes on',
    () => import('./commands/backup.js'),
  ],
  ['restore', 'fill an empty database with a backup', () => import('./commands/restore.js')],
];

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
    .version(readVersion(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.write(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
      getOutHelpWidth: () => terminal.columns ?? HELP_COLUMNS,
      getErrHelpWidth: () => terminal.columns ?? HELP_COLUMNS,
    })
    .showHelpAfterError('(takt COMMAND --help says more)')
    .addHelpText('after', SETTINGS_HELP);
  const called = args[0] === 'help' ? args[1] : args[0];
  for (const [name, description, load] of COMMANDS) {
    const command = program.command(name).description(description);
    if (name === called) (await load()).addCommand(command, terminal);
  }
  return program;
}
