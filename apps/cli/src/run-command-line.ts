import { SettingsError } from '@takt/run/settings';
import { TAKT_VERSION } from '@takt/run/version';
import { Command, CommanderError } from 'commander';
import { describeError, describeStack, UsageError } from './errors.js';
import type { Terminal } from './terminal.js';

const DONE = 0;
const COULD_NOT = 1;
const USAGE = 2;

/** Runs one command and returns its exit code. An error is printed in one line on standard error. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await (await createProgram(args, terminal)).parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    // Commander has already printed the message. Its exit code is 0 for --help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE;
    for (const line of linesFor(error, terminal)) terminal.say(line);
    return isUsage(error) ? USAGE : COULD_NOT;
  }
}

function isUsage(error: unknown): boolean {
  return error instanceof UsageError || error instanceof SettingsError;
}

function linesFor(error: unknown, { environment }: Terminal): readonly string[] {
  // A SettingsError lists all wrong settings. They are printed one per line.
  const lines = error instanceof SettingsError ? error.message.split('\n') : [describeError(error)];
  const said = lines.map((line) => `takt: ${line}`);
  return environment['LOG_LEVEL'] === 'debug' ? [...said, describeStack(error)] : said;
}

interface CommandModule {
  /** Adds options or subcommands to the command. It is called when the command is used. */
  readonly addCommand: (command: Command, terminal: Terminal) => void;
}

/**
 * All commands with their help texts, in the order of the help. To add a command, add a file to `commands` and a line
 * here. Only the command that is called is loaded, because loading all commands takes longer than running most of them.
 */
const COMMANDS: readonly (readonly [string, string, () => Promise<CommandModule>])[] = [
  [
    'start',
    'start everything: database, migrations, worker, API, intake, dashboard; demo data if no company is registered',
    () => import('./commands/start.js'),
  ],
  ['open', "open the planner's page of the running Takt", () => import('./commands/open.js')],
  [
    'info',
    'print the addresses of the running Takt, and how to publish and stop',
    () => import('./commands/info.js'),
  ],
  [
    'migrate',
    'bring the database up to date; safe when several start at once',
    () => import('./commands/migrate.js'),
  ],
  [
    'login',
    'manage the log-ins with which apps connect to the database',
    () => import('./commands/login.js'),
  ],
  ['cluster', 'distribute companies over several servers with Citus', () => import('./commands/cluster.js')],
  ['company', 'register and list companies', () => import('./commands/company.js')],
  [
    'client',
    'manage the programs that use the API, and their permissions',
    () => import('./commands/client.js'),
  ],
  ['user', 'manage the people who sign in, and their duties', () => import('./commands/user.js')],
  [
    'token',
    'manage access tokens, which read the API and publish events over HTTP',
    () => import('./commands/token.js'),
  ],
  [
    'audit-log',
    'show who changed people, clients, companies, tokens, queues and rejected events, and when',
    () => import('./commands/audit-log.js'),
  ],
  [
    'publish',
    'check events and add them to their queues; prints: published N',
    () => import('./commands/publish.js'),
  ],
  [
    'import',
    'import operations and plans from CSV, TSV and XLSX files, again and again, and undo imports',
    () => import('./commands/import.js'),
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
    'recompute every figure with an independent implementation, compare exactly, and check the search texts',
    () => import('./commands/audit.js'),
  ],
  [
    'rebuild',
    'recompute every figure from the stored operations and repair differences, while workers run',
    () => import('./commands/rebuild.js'),
  ],
  [
    'prune',
    'fold old completed operations into sums that keep every figure',
    () => import('./commands/prune.js'),
  ],
  ['rejected', 'list, correct, retry and discard rejected events', () => import('./commands/rejected.js')],
  [
    'unlisted',
    'list operations that wait for the master data of their structure version',
    () => import('./commands/unlisted.js'),
  ],
  ['plan', 'suggest planned times', () => import('./commands/plan.js')],
  [
    'status',
    'show queue depths, rate, lag, last commit, rejected events and connected workers',
    () => import('./commands/status.js'),
  ],
  [
    'maintain',
    'keep tables and indexes small, while everything runs',
    () => import('./commands/maintain.js'),
  ],
  [
    'backup',
    'write the whole database into one file, while everything runs',
    () => import('./commands/backup.js'),
  ],
  ['restore', 'fill an empty database with a backup', () => import('./commands/restore.js')],
];

/** Width of the help text if standard output is not a terminal. */
const HELP_COLUMNS = 110;

const SETTINGS_HELP = `
takt connects to DATABASE_URL and QUEUE_URL. Without them it uses the embedded server in TAKT_HOME (.takt), and
starts that if it does not run. Exit codes: 0 done, 1 found something or failed, 2 wrong usage. LOG_LEVEL=debug
shows where an error comes from.`;

/**
 * Creates the command line for these arguments. If it is used wrongly, it throws a CommanderError instead of ending the
 * process.
 */
async function createProgram(args: readonly string[], terminal: Terminal): Promise<Command> {
  const program = new Command('takt')
    .description('Planned against actual production times: completion events in, exact figures out.')
    .version(TAKT_VERSION, '--version', 'print the version')
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
