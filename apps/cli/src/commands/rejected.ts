import { eventFieldPaths } from '@takt/events/internal';
import {
  countRejections,
  eachRejection,
  eventOf,
  findRejection,
  groupByRule,
  listRejections,
  RESOLVED_DAYS,
  type Rejection,
  type RuleGroup,
} from '@takt/rejections';
import { type Command, Option } from 'commander';
import { withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { integerFrom } from '../parse-option.js';
import { printList } from '../print-list.js';
import {
  type CorrectFlags,
  correct,
  discard,
  goneText,
  type RetryFlags,
  retry,
  undo,
} from '../resolve-rejected.js';
import { type Column, formatTable } from '../table.js';
import { printable, printableLines, type Terminal } from '../terminal.js';

const MAX_RESOLVED = 10_000;
const DEFAULT_RESOLVED = 50;
const readId = integerFrom(1);
const readIds = (given: string, before: readonly number[] = []): readonly number[] => [
  ...before,
  readId(given),
];
const ID_HELP = 'as takt rejected list prints it';
const LIST_HELP = `
--by-reason groups events whose reasons differ only in values. EXAMPLE is the id of an event of a group, for takt rejected
show.`;
const RETRY_HELP = `
--data FILE (- for standard input) holds the event that replaces the rejected one. It is checked before anything is
changed.`;

export function addCommand(rejected: Command, terminal: Terminal): void {
  rejected
    .command('list')
    .description('list the rejected events, the oldest first')
    .option('--by-reason', 'count the events by reason')
    .option('--json', 'print JSON')
    .addHelpText('after', LIST_HELP)
    .action((flags: ListFlags) => list(flags, terminal));
  rejected
    .command('show')
    .description('show a rejected event and its whole reason')
    .argument('<id>', ID_HELP, readId)
    .option('--json', 'print JSON')
    .action((id: number, { json }: ListFlags) => show(id, json === true, terminal));
  rejected
    .command('retry')
    .description('put rejected events back into their queues; prints: retried N')
    .argument('[id...]', ID_HELP, readIds)
    .option('--all', 'all events that are rejected now')
    .option('--data <file>', 'the corrected event, for one id')
    .addHelpText('after', RETRY_HELP)
    .action((ids: readonly number[] = [], flags: RetryFlags) => retry(ids, flags, terminal));
  rejected
    .command('correct')
    .description(
      'give one field of many rejected events another value and put them into their queues; prints: corrected N',
    )
    .addOption(
      new Option('--field <path>', 'as in data.database').choices(eventFieldPaths).makeOptionMandatory(),
    )
    .requiredOption('--value <value>', 'text, a number, true, false or null, whichever the field takes')
    .option('--reason <text>', 'only events whose reason holds this text')
    .option('--check', 'only say how many would be valid, and which rules the others would break')
    .action((flags: CorrectFlags) => correct(flags, terminal));
  rejected
    .command('discard')
    .description(
      `discard rejected events, which undo can bring back within ${RESOLVED_DAYS} days; prints: discarded N`,
    )
    .argument('<id...>', ID_HELP, readIds)
    .action((ids: readonly number[]) => discard(ids, terminal));
  rejected
    .command('resolved')
    .description(`list what was discarded or corrected in the last ${RESOLVED_DAYS} days, the newest first`)
    .option('--top <n>', 'how many', integerFrom(1, MAX_RESOLVED), DEFAULT_RESOLVED)
    .option('--run <run>', 'those that were changed together')
    .option('--json', 'print JSON')
    .action((flags: ResolvedFlags) => listResolved(flags, terminal));
  rejected
    .command('undo')
    .description(
      'undo a discard, or a correction that no worker has taken: the events are rejected again; prints: restored N',
    )
    .argument('[id...]', 'as takt rejected resolved prints it', readIds)
    .option('--run <run>', 'all that were changed together, as takt rejected resolved prints it')
    .action((ids: readonly number[] = [], { run }: ResolvedFlags) => undo(ids, run, terminal));
}

interface ListFlags {
  readonly byReason?: boolean;
  readonly json?: boolean;
}

async function list({ byReason = false, json = false }: ListFlags, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const count = await countRejections(pool);
    if (byReason) {
      const groups = (await groupByRule(pool, { limit: MAX_GROUPS })).map(toGroupLine);
      await printList(groups, { columns: GROUP_COLUMNS, asJson: json, whenEmpty: NOTHING }, terminal);
      return;
    }
    await printPages(eachRejection(pool, { limit: PAGE, oldestFirst: true }), json, terminal);
    const next = 'takt rejected list --by-reason counts them by reason';
    terminal.say(count === 0 ? NOTHING : `takt: ${count} rejected, ${next}`);
  });
}

const PAGE = 100;
const MAX_GROUPS = 1_000;
const NOTHING = 'takt: nothing is rejected';

const COLUMNS: readonly Column<Rejection>[] = [
  { title: 'ID', value: ({ id }) => String(id), isNumber: true },
  { title: 'REJECTED AT', value: ({ lastAt }) => lastAt.toISOString() },
  { title: 'TIMES', value: ({ times }) => String(times), isNumber: true },
  { title: 'SOURCE', value: ({ source }) => source ?? '-' },
  { title: 'EVENT ID', value: ({ eventId }) => eventId ?? '-' },
  { title: 'REASON', value: ({ reason }) => reason },
];

/** Prints rejected events in pages, so that the memory stays bounded. */
async function printPages(
  pages: AsyncGenerator<readonly Rejection[]>,
  asJson: boolean,
  terminal: Terminal,
): Promise<void> {
  let printed = 0;
  for await (const page of pages) {
    const options = { width: terminal.columns, withTitles: printed === 0 };
    const lines = asJson
      ? page.map((one, index) => (printed + index === 0 ? '[' : ',') + toJson(summaryOf(one)))
      : formatTable(COLUMNS, page, options);
    for (const line of lines) await terminal.print(line);
    printed += page.length;
  }
  if (asJson) await terminal.print(printed === 0 ? '[]' : ']');
}

function toGroupLine({ rule, count, lastAt, example }: RuleGroup) {
  return { reason: rule, count, lastRejectedAt: lastAt.toISOString(), example };
}

const GROUP_COLUMNS: readonly Column<ReturnType<typeof toGroupLine>>[] = [
  { title: 'COUNT', value: ({ count }) => String(count), isNumber: true },
  { title: 'LAST REJECTED AT', value: ({ lastRejectedAt }) => lastRejectedAt },
  { title: 'EXAMPLE', value: ({ example }) => String(example), isNumber: true },
  { title: 'REASON', value: ({ reason }) => reason },
];

function summaryOf({ id, queue, source, eventId, type, firstAt, lastAt, times, reason }: Rejection) {
  const rejected = { firstRejectedAt: firstAt.toISOString(), rejectedAt: lastAt.toISOString(), times };
  return { id, queue, source, eventId, type, ...rejected, reason };
}

/** Returns the value as JSON without control characters, so that it is safe on a terminal. */
function toJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

async function show(id: number, asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const rejection = await findRejection(pool, id);
    if (rejection === undefined) throw new CommandError(goneText(id));
    const summary = summaryOf(rejection);
    const event = eventOf(rejection.data);
    if (asJson) {
      await terminal.print(toJson({ ...summary, event }));
      return;
    }
    const lines = {
      id: String(id),
      queue: summary.queue,
      source: summary.source ?? '-',
      'event id': summary.eventId ?? '-',
      type: summary.type ?? '-',
      'first at': summary.firstRejectedAt,
      'rejected at': summary.rejectedAt,
      times: String(summary.times),
      reason: summary.reason,
    };
    for (const [name, value] of Object.entries(lines)) {
      await terminal.print(`${name.padEnd(12)} ${printable(value)}`);
    }
    await terminal.print('event');
    await terminal.print(printableLines(JSON.stringify(event, null, 2)));
  });
}

interface ResolvedFlags {
  readonly top?: number;
  readonly run?: string;
  readonly json?: boolean;
}

const RESOLVED_COLUMNS: readonly Column<ReturnType<typeof toResolvedLine>>[] = [
  { title: 'ID', value: ({ id }) => String(id), isNumber: true },
  { title: 'AT', value: ({ resolvedAt }) => resolvedAt },
  { title: 'STATE', value: ({ resolution }) => resolution },
  { title: 'BY', value: ({ by }) => by },
  { title: 'RUN', value: ({ run }) => run ?? '-' },
  { title: 'EVENT ID', value: ({ eventId }) => eventId ?? '-' },
  { title: 'REASON', value: ({ reason }) => reason },
];

function toResolvedLine(one: Rejection) {
  const { id, state, resolvedAt, resolvedBy, run, eventId, source, type, company, reason } = one;
  return {
    id,
    resolution: state,
    resolvedAt: resolvedAt?.toISOString() ?? '',
    by: resolvedBy ?? '',
    run,
    eventId,
    source,
    type,
    company,
    reason,
  };
}

async function listResolved({ top, run, json }: ResolvedFlags, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const filter = run === undefined ? {} : { run };
    const resolved = await listRejections(pool, {
      state: 'resolved',
      filter,
      limit: top ?? DEFAULT_RESOLVED,
    });
    const whenEmpty = `takt: nothing was discarded or corrected in the last ${RESOLVED_DAYS} days`;
    const options = { columns: RESOLVED_COLUMNS, asJson: json === true, whenEmpty };
    await printList(resolved.map(toResolvedLine), options, terminal);
  });
}
