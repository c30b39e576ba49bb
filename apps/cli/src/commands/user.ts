import {
  changePassword,
  changeUserDuties,
  changeUserRoles,
  createInvitation,
  createUser,
  disableUser,
  enableUser,
  INVITATION_DAYS,
  listUsers,
  MIN_PASSWORD_CHARACTERS,
  setUserCompanies,
  setUserEmail,
  type UserSummary,
} from '@takt/access/administration';
import { resolveSettings } from '@takt/run/settings';
import type { Command } from 'commander';
import { explainErrors, listed, onDatabase } from '../access-changes.js';
import { withContext } from '../context.js';
import { UsageError } from '../errors.js';
import { companyCodes, identifier, several } from '../parse-option.js';
import { printList } from '../print-list.js';
import { obtainPassword } from '../secret-input.js';
import type { Column } from '../table.js';

import type { Terminal } from '../terminal.js';

interface AddOptions {
  readonly firstName?: string;
  readonly email?: string;
  readonly pid?: number;
  readonly database?: readonly string[];
  readonly role?: readonly string[];
  readonly duty?: readonly string[];
  readonly password?: string;
}

const PASSWORD = [
  '--password <->',
  `read the password, of at least ${MIN_PASSWORD_CHARACTERS} characters, from standard input; without it one is generated and printed`,
] as const;
const PID = 'as takt user list prints it';

const HELP = `
A person signs in with e-mail address, name or PID, and a password. A person sees the companies that takt user
companies gives (takt company add registers them) and may do what the duties say; a role holds several duties:
planner reads everything, operator reads all but planned times and changes the queues, system-operator does so for all companies,
administrator also manages people, clients and tokens on the dashboard (Access). takt audit-log shows who changed what.`;

export function addCommand(user: Command, terminal: Terminal): void {
  user.addHelpText('after', HELP);
  user
    .command('add')
    .description('register a person; prints the PID, and a generated password once')
    .argument('<name>', 'the family name')
    .option(
      '--database <codes>',
      'the companies of the person, as in TEM-NO,TEM-SE; the first is the default; without them, the person cannot sign in yet',
      companyCodes,
    )
    .option('--first-name <name>')
    .option('--email <address>', 'an address to sign in with')
    .option('--pid <pid>', 'the number to sign in with; the next free one by default', identifier)
    .option(
      '--role <role>',
      'planner, operator, system-operator, administrator or integrator; may be given several times',
      several,
    )
    .option('--duty <duty>', 'a duty besides those of the roles; may be given several times', several)
    .option(...PASSWORD)
    .action((name: string, options: AddOptions) => add(name, options, terminal));
  user
    .command('list')
    .description('list the people')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => list(json === true, terminal));
  user
    .command('duty')
    .description('give duties to a person; prints the duties besides those of the roles')
    .argument('<pid>', PID, identifier)
    .argument('<duty...>')
    .option('--remove', 'take these away instead')
    .action((pid: number, names: readonly string[], { remove }: { readonly remove?: boolean }) =>
      onDatabase(terminal, async (database) => {
        const change = remove === true ? { remove: names } : { add: names };
        return `person ${pid} has the duties: ${listed(await changeUserDuties(database, pid, change))}`;
      }),
    );
  user
    .command('role')
    .description('give roles to a person; prints all roles of the person')
    .argument('<pid>', PID, identifier)
    .argument('<role...>', 'planner, operator, system-operator, administrator or integrator')
    .option('--remove', 'take these away instead')
    .action((pid: number, names: readonly string[], { remove }: { readonly remove?: boolean }) =>
      onDatabase(terminal, async (database) => {
        const change = remove === true ? { remove: names } : { add: names };
        return `person ${pid} has the roles: ${listed(await changeUserRoles(database, pid, change))}`;
      }),
    );
  user
    .command('email')
    .description('set the e-mail address that a person may sign in with; prints it')
    .argument('<pid>', PID, identifier)
    .argument('[address]')
    .option('--remove', 'remove the address')
    .action((pid: number, address: string | undefined, { remove }: { readonly remove?: boolean }) => {
      if ((remove === true) === (address !== undefined)) {
        throw new UsageError('name an address, or give --remove');
      }
      return onDatabase(terminal, async (database) => {
        await setUserEmail(database, pid, address ?? null);
        return address ?? 'removed';
      });
    });
  user
    .command('companies')
    .description(
      'replace the companies of a person; the first is the default. A removed company ends the sessions of the person, an added one needs a new sign-in',
    )
    .argument('<pid>', PID, identifier)
    .argument('[code...]', 'as takt company list prints them')
    .option('--all', 'all that are registered now')
    .action((pid: number, codes: readonly string[], { all }: { readonly all?: boolean }) => {
      if ((all === true) === codes.length > 0) throw new UsageError('name companies, or give --all');
      return onDatabase(terminal, async (database) => {
        const given = await setUserCompanies(database, pid, all === true ? 'all' : codes);
        return `person ${pid} has the companies: ${given.join(', ')}`;
      });
    });
  user
    .command('reset')
    .description(
      `print a link with which the person sets a new password, once within ${INVITATION_DAYS} days`,
    )
    .argument('<pid>', PID, identifier)
    .action((pid: number) =>
      onDatabase(terminal, async (database) => {
        const { dashboardUrl } = resolveSettings(terminal.environment);
        return `${dashboardUrl}/invitation?code=${await createInvitation(database, pid)}`;
      }),
    );
  user
    .command('password')
    .description('give a person a new password; sessions and tokens that were given for the old one end')
    .argument('<pid>', PID, identifier)
    .option(...PASSWORD)
    .action((pid: number, options: { readonly password?: string }) => renew(pid, options.password, terminal));
  user
    .command('disable')
    .description('disable a person, and end all tokens and sessions within 5 s; prints: disabled')
    .argument('<pid>', PID, identifier)
    .action((pid: number) =>
      onDatabase(terminal, async (database) => {
        await disableUser(database, pid);
        return 'disabled';
      }),
    );
  user
    .command('enable')
    .description('enable a disabled person; earlier tokens and sessions stay ended; prints: enabled')
    .argument('<pid>', PID, identifier)
    .action((pid: number) =>
      onDatabase(terminal, async (database) => {
        await enableUser(database, pid);
        return 'enabled';
      }),
    );
}

async function add(name: string, options: AddOptions, terminal: Terminal): Promise<void> {
  const { password, isMadeUp } = await obtainPassword(options.password, terminal.input);
  await withContext(terminal, async (context) => {
    const pid = await explainErrors(
      createUser(await context.openDatabase(), {
        name,
        companyCodes: options.database ?? [],
        roles: options.role ?? [],
        duties: options.duty ?? [],
        password,
        ...(options.firstName !== undefined && { firstName: options.firstName }),
        ...(options.email !== undefined && { email: options.email }),
        ...(options.pid !== undefined && { pid: options.pid }),
      }),
    );
    await terminal.print(`pid ${pid}`);
    if (isMadeUp) await terminal.print(`password ${password}`);
  });
}

async function renew(pid: number, source: string | undefined, terminal: Terminal): Promise<void> {
  const { password, isMadeUp } = await obtainPassword(source, terminal.input);
  await withContext(terminal, async (context) => {
    await explainErrors(changePassword(await context.openDatabase(), pid, password));
    await terminal.print(isMadeUp ? `password ${password}` : 'changed');
  });
}

const COLUMNS: readonly Column<UserSummary>[] = [
  { title: 'PID', value: ({ pid }) => String(pid), isNumber: true },
  { title: 'FIRST NAME', value: ({ firstName }) => firstName ?? '' },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'E-MAIL', value: ({ email }) => email ?? '' },
  { title: 'STATE', value: ({ disabledAt }) => (disabledAt === null ? 'active' : 'disabled') },
  { title: 'COMPANIES', value: ({ companyCodes: codes }) => codes.join(',') },
  { title: 'ROLES', value: ({ roles }) => roles.join(',') },
  { title: 'DUTIES', value: ({ duties }) => duties.join(',') },
];

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const people = await listUsers(await context.openDatabase());
    await printList(
      people,
      {
        columns: COLUMNS,
        asJson,
        whenEmpty: 'takt: nobody is registered: takt user add NAME --database CODES registers a person',
      },
      terminal,
    );
  });
}
