import { type CapacityPlan, measuredCosts, type Need, planCapacity } from '@takt/figures/capacity';
import type { Command } from 'commander';
import { integerFrom, positiveNumber } from '../parse-option.js';
import { addSuggestCommand } from '../plan-suggestions.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

interface CapacityOptions {
  readonly eventsPerSecond: number;
  readonly structureVersions: number;
  readonly operationsPerDay?: number;
  readonly hours: number;
  readonly keep: number;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly outageMinutes: number;
  readonly companies: number;
  readonly single?: boolean;
  readonly json?: boolean;
}

const BURST_SECONDS = 60;
/** Share of the events that are about a new operation. The other events correct, reopen or repeat an operation. */
const NEW_OPERATIONS = 0.97;

const COLUMNS: readonly Column<Need>[] = [
  { title: 'PART', value: ({ part }) => part },
  { title: 'NEEDS', value: ({ what }) => what },
  { title: 'AMOUNT', value: formatAmount, isNumber: true },
  { title: 'FOLLOWS FROM', value: ({ how }) => how },
];

const HELP = `
Computed from the costs measured on two shared cores (npm run bench:capacity measures them again). It is a model to
order machines by, not a promise. It assumes that structure versions are evenly busy and everything is half used.`;

export function addCommand(plan: Command, terminal: Terminal): void {
  addSuggestCommand(plan, terminal);
  plan
    .command('capacity')
    .description('compute the machines and disk that a load needs, from measured costs')
    .requiredOption('--events-per-second <n>', 'on average during production', positiveNumber)
    .requiredOption('--structure-versions <n>', 'of all companies together', integerFrom(1))
    .option('--operations-per-day <n>', 'new operations; default 97 % of the events', integerFrom(1))
    .option('--hours <n>', 'hours of production a day', positiveNumber, 24)
    .option('--keep <days>', 'days until operations are pruned', integerFrom(1), 365)
    .option('--requests-per-second <n>', 'pages a second that clients read', integerFrom(0), 50)
    .option('--burst <n>', `a burst of this many times the events, for ${BURST_SECONDS} s`, positiveNumber, 3)
    .option(
      '--outage-minutes <n>',
      'minutes without a database for which Redis holds all events',
      integerFrom(0),
      60,
    )
    .option('--companies <n>', 'companies that share the structure versions', integerFrom(1), 1)
    .option('--single', 'producers send each event alone, not in batches')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: CapacityOptions) => capacity(options, terminal));
}

async function capacity(options: CapacityOptions, terminal: Terminal): Promise<void> {
  const eventsPerDay = options.eventsPerSecond * options.hours * 3_600;
  const plan: CapacityPlan = planCapacity(
    {
      ...options,
      eventsPerDay,
      operationsPerDay: options.operationsPerDay ?? eventsPerDay * NEW_OPERATIONS,
      keptDays: options.keep,
      burstSeconds: BURST_SECONDS,
      inBatches: options.single !== true,
      outageSeconds: options.outageMinutes * 60,
    },
    measuredCosts,
  );
  if (options.json === true) {
    await terminal.print(JSON.stringify(plan));
    return;
  }
  for (const line of formatTable(COLUMNS, plan.needs, { width: terminal.columns }))
    await terminal.print(line);
  for (const sentence of plan.advice) await terminal.print(`- ${sentence}`);
}

const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Rounds to at most three digits, because more digits would suggest a precision that the measurements do not have. */
function formatAmount({ amount, unit }: Need): string {
  if (!unit.startsWith('bytes')) return `${short(amount)} ${unit}`;
  const power = amount < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(amount) / 3));
  return `${short(amount / 1_000 ** power)} ${SIZES[power]}${unit.slice('bytes'.length)}`;
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : Number(value.toPrecision(3)).toString();
}
