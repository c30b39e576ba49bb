import {
  addCompany,
  type Company,
  CompanyCodeError,
  changeTimeZone,
  countContents,
  disableCompany,
  findMonthsInTimeZone,
  listCompanies,
  removeCompany,
  renameCompany,
  setTimeUnit,
  TimeZoneError,
} from '@takt/figures/master-data';
import { type TimeUnit, timeUnits } from '@takt/texts';
import { Argument, type Command } from 'commander';
import { type Context, withContext } from '../context.js';
import { CommandError, UsageError } from '../errors.js';
import { printList } from '../print-list.js';
import { withProgress } from '../progress.js';
import { readFirstLine } from '../secret-input.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';

interface ListedCompany extends Pick<Company, 'code' | 'name' | 'timeZone' | 'timeUnit' | 'disabledAt'> {
  /** False while some monthly figures still use another time zone; null if the company's node in a cluster is away. */
  readonly hasMonthsInTimeZone: boolean | null;
}

const COLUMNS: readonly Column<ListedCompany>[] = [
  { title: 'CODE', value: ({ code }) => code },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'STATE', value: ({ disabledAt }) => (disabledAt === null ? 'active' : 'disabled') },
  { title: 'UNIT', value: ({ timeUnit }) => timeUnit },
  {
    title: 'TIME ZONE',
    value: ({ code, timeZone, hasMonthsInTimeZone }) => {
      if (hasMonthsInTimeZone === null) return `${timeZone} (its node is away)`;
      return hasMonthsInTimeZone
        ? timeZone
        : `${timeZone} (months unfinished: takt company set-time-zone ${code} ${timeZone})`;
    },
  },
];

const ZONE_HELP = 'IANA name, as in Europe/Oslo';

const HELP = `
Events and $db name a company by its code. takt user companies gives companies to a person, takt client add --database and
takt token create --database to programs. A disabled company keeps its figures. takt audit-log shows who changed what.`;

export function addCommand(company: Command, terminal: Terminal): void {
  company.addHelpText('after', HELP);
  company
    .command('add')
    .description('register a company; safe to repeat')
    .argument('<code>', '1 to 20 capital letters, digits and hyphens, as in TEM-NO')
    .argument('<name>')
    .option('--time-zone <zone>', `of its months; ${ZONE_HELP}`, 'UTC')
    .action((code: string, name: string, options: { readonly timeZone: string }) =>
      add(code, name, options.timeZone, terminal),
    );
  company
    .command('set-time-zone')
    .description(
      'give a company another time zone and rebuild its months; safe to repeat after an interruption',
    )
    .argument('<code>')
    .argument('<zone>', ZONE_HELP)
    .action((code: string, zone: string) => setTimeZone(code, zone, terminal));
  company
    .command('set-unit')
    .description('set the unit of times on pages, which a reader can change on the page')
    .argument('<code>')
    .addArgument(
      new Argument('<unit>', 'of the time of an operation; totals are always in hours').choices(timeUnits),
    )
    .action((code: string, unit: TimeUnit) => setUnit(code, unit, terminal));
  company
    .command('rename')
    .description('give a company another name; events and $db know it by its code, which stays')
    .argument('<code>')
    .argument('<name>')
    .action((code: string, name: string) => rename(code, name, terminal));
  company
    .command('disable')
    .description(
      'close a company: within 5 s no token reaches its figures, which stay, and its events are rejected; prints: disabled',
    )
    .argument('<code>')
    .action((code: string) => disable(code, true, terminal));
  company
    .command('enable')
    .description('open a company again; its events that were rejected can be retried; prints: enabled')
    .argument('<code>')
    .action((code: string) => disable(code, false, terminal));
  company
    .command('remove')
    .description('remove a company with everything in it, after asking for its code; there is no way back')
    .argument('<code>')
    .option('--yes', 'do not ask')
    .action((code: string, options: { readonly yes?: boolean }) =>
      remove(code, options.yes === true, terminal),
    );
  company
    .command('list')
    .description('list the registered companies')
    .option('--json', 'print JSON')
    .action((options: { readonly json?: boolean }) => list(options.json === true, terminal));
}

async function add(code: string, name: string, timeZone: string, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const isNew = await addCompany(await context.openDatabase(), code, name, { timeZone }).catch(
      toUsageError,
    );
    await terminal.print(isNew ? `added ${code}` : `${code} was registered already`);
  });
}

async function rename(code: string, name: string, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    await renameCompany(await context.openDatabase(), code, name);
    await terminal.print(`${code} is ${name}`);
  });
}

async function setUnit(code: string, unit: TimeUnit, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    await setTimeUnit(await context.openDatabase(), code, unit);
    await terminal.print(`${code} has unit ${unit}`);
  });
}

async function disable(code: string, isDisabled: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    await disableCompany(await context.openDatabase(), code, isDisabled);
    await terminal.print(isDisabled ? 'disabled' : 'enabled');
  });
}

async function remove(code: string, isSure: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const database = await context.openDatabase();
    const { operations, structureVersions, people, clients, tokens } = await countContents(database, code);
    terminal.say(
      `takt: with ${code} go ${operations} operations and ${structureVersions} structure versions; ${people} people, ${clients} clients and ${tokens} tokens lose it`,
    );
    if (!isSure) {
      terminal.say(`takt: enter ${code} to remove it for ever`);
      if ((await readFirstLine(terminal.input)).trim() !== code) {
        throw new CommandError('nothing was removed');
      }
    }
    await removeCompany(database, code);
    await terminal.print(`removed ${code}`);
  });
}

async function setTimeZone(code: string, zone: string, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { timeZone, structureVersions, pruned } = await changeMonths(context, { code, zone }, terminal);
    await terminal.print(
      `${code} has time zone ${timeZone}; rebuilt ${structureVersions} structure versions`,
    );
    if (pruned > 0) {
      terminal.say(
        `takt: ${pruned} pruned operations keep their months, because their instants are no longer stored`,
      );
    }
  });
}

async function changeMonths(
  context: Context,
  { code, zone }: { readonly code: string; readonly zone: string },
  terminal: Terminal,
) {
  const { pool } = await context.openDatabase();
  return withProgress(terminal, 'structure versions rebuilt:', undefined, ({ update }) =>
    changeTimeZone(pool, { database: code, timeZone: zone, onProgress: update }),
  ).catch(toUsageError);
}

function toUsageError(error: unknown): never {
  throw error instanceof CompanyCodeError || error instanceof TimeZoneError
    ? new UsageError(error.message)
    : error;
}

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const database = await context.openDatabase();
    const isDone = await findMonthsInTimeZone(database);
    const rows = (await listCompanies(database)).map(({ code, name, timeZone, timeUnit, disabledAt }) => ({
      code,
      name,
      timeZone,
      timeUnit,
      hasMonthsInTimeZone: isDone.get(code) ?? null,
      disabledAt,
    }));
    const whenEmpty = 'takt: no company is registered: takt company add CODE NAME registers one';
    await printList(rows, { columns: COLUMNS, asJson, whenEmpty }, terminal);
  });
}
