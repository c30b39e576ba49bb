import { noteOwnerEntry } from '@takt/access/administration';
import {
  type AppName,
  addressOf,
  appNames,
  appRoles,
  dropLogin,
  inventLogin,
  isCluster,
  LoginError,
  type LoginSummary,
  listLogins,
  makeLogin,
} from '@takt/database';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

const CREATE_HELP = `
Prints the DATABASE_URL of the app. Its password is shown only this once. With the --name of an existing log-in, that
log-in gets a new password.
The intake's log-in is for your own producers too: if the queues are in the database, as by default, its URL is their
QUEUE_URL. It can add events to the queues and count them. It cannot read, take, change or hold up jobs, and sees no
figures.`;

export function addCommand(login: Command, terminal: Terminal): void {
  login
    .command('create')
    .description('create a log-in and print its connection URL, once')
    .addArgument(new Argument('<app>', 'the app of the log-in').choices(appNames))
    .option('--name <name>', 'its name; a new one by default', loginName)
    .addHelpText('after', CREATE_HELP)
    .action((app: AppName, { name }: { readonly name?: string }) => create(app, name, terminal));
  login
    .command('list')
    .description('list the log-ins')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => list(json === true, terminal));
  login
    .command('drop')
    .description('end the sessions of a log-in and remove it; prints: dropped')
    .argument('<name>', 'as takt login list prints it')
    .action((name: string) => drop(name, terminal));
}

async function create(app: AppName, name: string | undefined, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const url = await context.databaseUrl();
    const login = inventLogin(app, name);
    await makeLogin(url, app, login).catch(toCommandError);
    await noteOwnerEntry(pool, {
      action: 'login-created',
      subject: `log-in ${login.name}`,
      details: { app },
    });
    await terminal.print(addressOf(url, login));
    terminal.say(`takt: ${login.name} holds ${appRoles[app]}; takt login drop ${login.name} removes it`);
    if (await isCluster(pool)) {
      const line = `*:*:*:${login.name}:${login.password}`;
      terminal.say(
        `takt: add this line to .pgpass of PostgreSQL's user on every server of the cluster: ${line}`,
      );
    }
  });
}

const COLUMNS: readonly Column<LoginSummary>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'APP', value: ({ app }) => app },
  { title: 'CONNECTIONS', value: ({ connections }) => String(connections), isNumber: true },
];

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const logins = await listLogins((await context.openDatabase()).pool);
    if (asJson) {
      await terminal.print(JSON.stringify(logins));
      return;
    }
    if (logins.length === 0) terminal.say('takt: there is no log-in: takt login create makes one');
    const lines = logins.length === 0 ? [] : formatTable(COLUMNS, logins, { width: terminal.columns });
    for (const line of lines) await terminal.print(line);
  });
}

async function drop(name: string, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    await dropLogin(await context.databaseUrl(), name).catch(toCommandError);
    await noteOwnerEntry(pool, { action: 'login-dropped', subject: `log-in ${name}`, details: {} });
    await terminal.print('dropped');
  });
}

function toCommandError(error: unknown): never {
  if (error instanceof LoginError) throw new CommandError(error.message, { cause: error.cause });
  throw error;
}

/** Reads the name of a role. The name must need no quotes and must not be reserved by PostgreSQL or Takt. */
function loginName(text: string): string {
  const isOfApp = Object.values<string>(appRoles).includes(text);
  if (/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(text) && !isOfApp) return text;
  throw new InvalidArgumentError(
    'It must be at most 63 lowercase letters, digits and _, and not begin with pg_.',
  );
}
