import {
  countUnsureSuggestions,
  nameOfVersion,
  type PlanSuggestion,
  readPlanChanges,
  type SuggestionOptions,
  suggestPlans,
} from '@takt/figures';
import { csvLine } from '@takt/texts';
import { type Command, Option } from 'commander';
import type pg from 'pg';
import { withContext } from '../context.js';
import { UsageError } from '../errors.js';
import { integerFrom, percentage } from '../parse-option.js';
import { toChangedEvent } from '../plan-change-event.js';
import { withProgress } from '../progress.js';
import { type Column, formatTable } from '../table.js';
import { printable, type Terminal } from '../terminal.js';

const FORMATS = ['table', 'csv', 'events'] as const;

interface SuggestOptions extends SuggestionOptions {
  readonly format: (typeof FORMATS)[number];
  readonly json?: boolean;
}

const HELP = `
The suggested time is the average of all completed operations that reported it: with that plan, hours over and under plan
even out. Times without a plan and unlisted structure versions are left out, and so is what is unsure: where the 95 %
confidence interval of the average holds the plan, or fewer than 5 operations reported the time.

table   for people; COUNT is the number of operations that reported the time, and h A YEAR the difference that the new
        plan would make for the operations of the last twelve months of the structure version, up to the newest month
        with a completion
csv     RFC 4180, UTF-8, hours and percent as plain numbers
events  a product-structure-version.changed.v1 for each structure version with its new plan, for takt publish once
        somebody agrees; publishing twice does no harm, and a newer change of the structure version wins`;

export function addCommand(plan: Command, terminal: Terminal): void {
  plan
    .command('suggest')
    .description('suggest planned times from actual ones, those that change most hours first')
    .requiredOption('--database <code>', 'the company')
    .option('--min-operations <n>', 'completed operations that reported the time', integerFrom(1), 20)
    .option('--threshold <p>', 'minimum percent by which plan and average differ', percentage, 10)
    .option('--top <n>', 'only the first of them', integerFrom(1))
    .option('--include-unsure', 'include differences that chance can explain')
    .addOption(new Option('--format <format>', 'what to print').choices(FORMATS).default('table'))
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: SuggestOptions) => suggest(options, terminal));
}

async function suggest({ format, json, ...options }: SuggestOptions, terminal: Terminal): Promise<void> {
  if (json === true && format !== 'table') {
    throw new UsageError('--json prints the table as JSON: leave --format out');
  }
  const print = json === true ? printJson : PRINTERS[format];
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    await print(pool, options, terminal);
  });
}

type Print = (pool: pg.Pool, options: SuggestionOptions, terminal: Terminal) => Promise<void>;

const PRINTERS: Readonly<Record<SuggestOptions['format'], Print>> = {
  table: printTable,
  csv: printCsv,
  events: printEvents,
};

/** Eight columns, which fit a terminal of 100 characters unless names are long. */
const COLUMNS: readonly Column<PlanSuggestion>[] = [
  { title: 'VERSION', value: nameOfVersion, isNumber: true },
  { title: 'TIME', value: ({ kind }) => kind },
  { title: 'COUNT', value: (row) => String(row.numberOfOperations), isNumber: true },
  { title: 'PLAN h', value: ({ plannedTime }) => plannedTime.toFixed(4), isNumber: true },
  { title: 'NEW h', value: ({ suggestedTime }) => suggestedTime.toFixed(4), isNumber: true },
  { title: 'CHANGE %', value: (row) => percentOf(row), isNumber: true },
  { title: 'h A YEAR', value: ({ hoursAYear }) => signed(hoursAYear, 1), isNumber: true },
  { title: 'STRUCTURE VERSION', value: nameOf },
];
const VERDICT: Column<PlanSuggestion> = { title: 'VERDICT', value: ({ verdict }) => verdict };

/** The name of the structure version. It follows the name of the product, unless it begins with it. */
function nameOf({ productName, name }: PlanSuggestion): string {
  return name.startsWith(productName) ? name : `${productName}, ${name}`;
}

const signed = (value: number, decimals: number) => (value > 0 ? '+' : '') + value.toFixed(decimals);

const percentOf = ({ overPlanPercent }: PlanSuggestion) =>
  overPlanPercent === null ? '-' : signed(overPlanPercent, 2);

/** Prints a table for each page of a thousand rows, so that the memory stays bounded. */
async function printTable(pool: pg.Pool, options: SuggestionOptions, terminal: Terminal): Promise<void> {
  const columns = options.includeUnsure === true ? COLUMNS.toSpliced(-1, 0, VERDICT) : COLUMNS;
  const structureVersions = new Set<number>();
  const total = { suggestions: 0, moreHours: 0, fewerHours: 0 };
  await suggestPlans(pool, options, async (page) => {
    const withTitles = total.suggestions === 0;
    for (const line of formatTable(columns, page, { width: terminal.columns, withTitles })) {
      await terminal.print(line);
    }
    for (const { productStructureVersionId, hoursAYear } of page) {
      structureVersions.add(productStructureVersionId);
      total.suggestions += 1;
      total[hoursAYear > 0 ? 'moreHours' : 'fewerHours'] += hoursAYear;
    }
  });
  const unsure = await countUnsureSuggestions(pool, options);
  const sayUnsure = () =>
    unsure > 0 && terminal.say(`takt: ${unsure} more are unsure: --include-unsure lists them`);
  if (total.suggestions === 0) {
    terminal.say(
      `takt: no plan differs by ${options.threshold} % from the average of ${options.minOperations} or more operations`,
    );
    sayUnsure();
    return;
  }
  await terminal.print(
    `${total.suggestions} suggestions for ${structureVersions.size} structure versions: ` +
      `${signed(total.moreHours, 1)} and ${signed(total.fewerHours, 1)} hours a year`,
  );
  sayUnsure();
  terminal.say('takt: --format events prints them as events for takt publish');
}

async function printJson(pool: pg.Pool, options: SuggestionOptions, terminal: Terminal): Promise<void> {
  let printed = 0;
  await suggestPlans(pool, options, async (page) => {
    for (const row of page) {
      await terminal.print((printed++ === 0 ? '[' : ',') + printable(JSON.stringify(row)));
    }
  });
  await terminal.print(printed === 0 ? '[]' : ']');
}

/** The fields of a row. They have the same names as in the API. */
const CSV_FIELDS: readonly (readonly [
  name: string,
  value: (row: PlanSuggestion) => string | number | null,
])[] = [
  ['ProductStructureVersionId', (row) => row.productStructureVersionId],
  ['ProductStructureVersionName', (row) => row.name],
  ['Version', (row) => row.version],
  ['Revision', (row) => row.revision],
  ['ProductId', (row) => row.productId],
  ['ProductName', (row) => row.productName],
  ['Kind', (row) => row.kind],
  ['PlannedTime', (row) => row.plannedTime],
  ['SuggestedTime', (row) => row.suggestedTime],
  ['TimeDifference', (row) => row.timeDifference],
  ['OverPlanPercent', (row) => row.overPlanPercent],
  ['NumberOfOperations', (row) => row.numberOfOperations],
  ['MeanLow', (row) => row.meanLow],
  ['MeanHigh', (row) => row.meanHigh],
  ['Verdict', (row) => row.verdict],
  ['HoursAYear', (row) => row.hoursAYear],
  ['ProductStructureVersionKey', (row) => row.productStructureVersionKey],
  ['ProductKey', (row) => row.productKey],
];

async function printCsv(pool: pg.Pool, options: SuggestionOptions, terminal: Terminal): Promise<void> {
  await withProgress(terminal, 'suggestions written:', undefined, async ({ update }) => {
    let written = 0;
    await terminal.write(csvLine(CSV_FIELDS.map(([name]) => name)));
    await suggestPlans(pool, options, async (page) => {
      await terminal.write(page.map((row) => csvLine(CSV_FIELDS.map(([, value]) => value(row)))).join(''));
      written += page.length;
      update(written);
    });
  });
}

async function printEvents(pool: pg.Pool, options: SuggestionOptions, terminal: Terminal): Promise<void> {
  const time = new Date().toISOString();
  await withProgress(terminal, 'events written:', undefined, async ({ update }) => {
    let written = 0;
    await readPlanChanges(pool, options, async (page) => {
      await terminal.write(
        page.map((change) => `${JSON.stringify(toChangedEvent(change, time))}\n`).join(''),
      );
      written += page.length;
      update(written);
    });
  });
}
