import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { noteOwnerEntry, type OperatorEntry } from '@takt/access/administration';
import { describeProblems, prepareEvent } from '@takt/events';
import { eventFieldPaths, ruleOf } from '@takt/events/internal';
import { listCompanies } from '@takt/figures/master-data';
import {
  correctField,
  countRejections,
  eachRejection,
  eventOf,
  findCorrectionProblems,
  findRejection,
  groupByRule,
  listRejectionIds,
  listRejections,
  RESOLVED_DAYS,
  type Rejection,
  type Resolution,
  type ResolutionOutcome,
  type RuleGroup,
  resolveRejections,
  undoResolution,
} from '@takt/rejections';
import { type Command, Option } from 'commander';
import { withContext } from '../context.js';
import { CommandError, UsageError } from '../errors.js';
import { integerFrom } from '../parse-option.js';
import { printList } from '../print-list.js';
import { withProgress } from '../progress.js';
import { type Column, formatTable } from '../table.js';
import { printable, printableLines, type Terminal } from '../terminal.js';
import { userName } from '../user-name.js';

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

const goneText = (id: number) =>
  `${id} is not rejected, or no longer: takt rejected list shows the rejected events`;

/** The name of the user, which is stored with events that are discarded or corrected on the command line. */
const BY = { by: `${userName()} at the command line` };
/** Maximum number of event ids in one entry of the audit log. */
const NOTED_IDS = 100;

interface Change {
  readonly entry: Pick<OperatorEntry, 'action' | 'details'>;
  readonly run?: string;
  /** Decides about each event. For a check, it decides nothing. */
  readonly decide: (rejection: Rejection) => Resolution | undefined;
}

type Resolve = (ids: readonly number[], change: Change) => Promise<number>;

/** Runs work that resolves rejected events in batches, with entries in the audit log at its start and end. */
function withResolving(
  terminal: Terminal,
  work: (resolve: Resolve, pool: Parameters<typeof findRejection>[0]) => Promise<void>,
): Promise<void> {
  return withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const queues = await context.openQueues();
    const resolve: Resolve = (ids, { entry, run, decide }) =>
      noted(pool, entry, ids.length, () =>
        inBatches(ids, terminal, (some) =>
          resolveRejections({ pool, queues }, some, decide, { ...BY, ...(run !== undefined && { run }) }),
        ),
      );
    await work(resolve, pool);
  });
}

async function noted(
  pool: Parameters<typeof noteOwnerEntry>[0],
  { action, details }: Change['entry'],
  count: number,
  change: () => Promise<number>,
): Promise<number> {
  const note = (subjects: number, state: 'begun' | 'ended') =>
    noteOwnerEntry(pool, {
      action,
      subject: `${subjects} rejected events`,
      details: { ...details, state },
    });
  await note(count, 'begun');
  const changed = await change();
  await note(changed, 'ended');
  return changed;
}

const BATCH = 200;

/** Changes events in batches. An event that cannot be changed is printed and does not stop the others. */
async function inBatches(
  ids: readonly number[],
  terminal: Terminal,
  change: (some: readonly number[]) => Promise<readonly ResolutionOutcome[]>,
): Promise<number> {
  let changed = 0;
  await withProgress(terminal, 'rejected events changed:', ids.length, async (progress) => {
    for (let start = 0; start < ids.length; start += BATCH) {
      for (const outcome of await change(ids.slice(start, start + BATCH))) {
        if (outcome.kind === 'done') changed += 1;
        if (outcome.kind !== 'gone') continue;
        progress.say(`takt: ${goneText(outcome.id)}`);
        terminal.fail();
      }
      progress.update(changed);
    }
  });
  return changed;
}

async function discard(ids: readonly number[], terminal: Terminal): Promise<void> {
  await withResolving(terminal, async (resolve) => {
    const entry = { action: 'rejected-discarded', details: { ids: ids.slice(0, NOTED_IDS) } } as const;
    await terminal.print(`discarded ${await resolve(ids, { entry, decide: () => 'discard' })}`);
  });
}

interface RetryFlags {
  readonly all?: boolean;
  readonly data?: string;
}

/** Returns rejected events to their queues. With a corrected event, sends that event instead of the rejected event. */
async function retry(
  ids: readonly number[],
  { all = false, data }: RetryFlags,
  terminal: Terminal,
): Promise<void> {
  if (all === ids.length > 0) throw new UsageError('name the events to retry, or all with --all');
  if (data !== undefined && ids.length !== 1) {
    throw new UsageError('--data holds one event: name the one id that it replaces');
  }
  const corrected = data === undefined ? undefined : await readEvent(data, terminal);
  await withResolving(terminal, async (resolve, pool) => {
    const chosen = all ? await listRejectionIds(pool) : ids;
    const entry = {
      action: corrected === undefined ? 'rejected-retried' : 'rejected-corrected',
      details: all ? { all } : { ids: ids.slice(0, NOTED_IDS) },
    } as const;
    const decide = (): Resolution => (corrected === undefined ? 'retry' : { corrected });
    await terminal.print(`retried ${await resolve(chosen, { entry, decide })}`);
    terminal.say(
      'takt: takt drain waits until the events are processed; an event that still breaks a rule is rejected again',
    );
  });
}

/** Reads the event in a file. If the event has problems, throws a CommandError that names them. */
async function readEvent(name: string, terminal: Terminal): Promise<object> {
  const content = await (name === '-' ? text(terminal.input) : readFile(name, 'utf8')).catch(
    (error: unknown) => {
      throw new CommandError(`${name} cannot be read`, { cause: error });
    },
  );
  let event: unknown;
  try {
    event = JSON.parse(content);
  } catch (error) {
    throw new CommandError(`${name} is not JSON, so nothing was retried`, { cause: error });
  }
  const result = prepareEvent(event);
  if (result.ok && typeof event === 'object' && event !== null) return event;
  const problems = result.ok ? [] : result.problems;
  throw new CommandError(
    `${name} contains no valid event, so nothing was retried: ${describeProblems(problems)}`,
  );
}

interface CorrectFlags {
  readonly field: string;
  readonly value: string;
  readonly reason?: string;
  readonly check?: boolean;
}

/** Sets one field in many rejected events, and sends the results that are valid. */
async function correct(
  { field, value, reason = '', check = false }: CorrectFlags,
  terminal: Terminal,
): Promise<void> {
  await withContext(terminal, async (context) => {
    const database = await context.openDatabase();
    const { pool } = database;
    const active = (await listCompanies(database)).filter(({ disabledAt }) => disabledAt === null);
    const registered = new Set(active.map(({ code }) => code));
    const edit = ({ data }: Rejection) =>
      correctField(eventOf(data), { field, value }, (corrected) =>
        findCorrectionProblems(corrected, registered),
      );
    const run = randomUUID();
    const decide = (rejection: Rejection): Resolution => {
      const corrected = edit(rejection);
      return check ? 'check' : { corrected };
    };
    const rules = new Map<string, number>();
    const queues = await context.openQueues();
    const ids = await listRejectionIds(pool, { filter: { inReason: reason } });
    const correctAll = () =>
      inBatches(ids, terminal, async (some) => {
        const outcomes = await resolveRejections({ pool, queues }, some, decide, { ...BY, run });
        for (const outcome of outcomes) {
          if (outcome.kind !== 'refused') continue;
          const rule = ruleOf(outcome.error.message);
          rules.set(rule, (rules.get(rule) ?? 0) + 1);
        }
        return outcomes;
      });
    const details = { run, field, value, ...(reason !== '' && { reason }) };
    if (!check) {
      terminal.say(`takt: takt rejected undo --run ${run} undoes the corrections that no worker has taken`);
    }
    const corrected = check
      ? await correctAll()
      : await noted(pool, { action: 'rejected-corrected', details }, ids.length, correctAll);
    for (const [rule, count] of rules) {
      terminal.say(`takt: ${count} left alone, because they would be rejected again: ${rule}`);
    }
    if (rules.size > 0) terminal.fail();
    await terminal.print(check ? `valid ${corrected}` : `corrected ${corrected}`);
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

/** Makes resolved events rejected again: either the events with these ids, or all events of a run. */
async function undo(ids: readonly number[], run: string | undefined, terminal: Terminal): Promise<void> {
  if ((run === undefined) === (ids.length === 0)) {
    throw new UsageError('name the events to undo, or a run with --run');
  }
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const queues = await context.openQueues();
    const chosen =
      run === undefined ? ids : await listRejectionIds(pool, { state: 'resolved', filter: { run } });
    const details = run === undefined ? { ids: ids.slice(0, NOTED_IDS) } : { of: run };
    const restored = await noted(pool, { action: 'rejected-restored', details }, chosen.length, async () => {
      let count = 0;
      for (const id of chosen) {
        const outcome = await undoResolution({ pool, queues }, id);
        if (outcome === 'restored') {
          count += 1;
          continue;
        }
        terminal.fail();
        terminal.say(
          outcome === 'taken'
            ? `takt: a worker has taken the correction of ${id}, so it stays`
            : `takt: there is nothing to undo under ${id}: takt rejected resolved shows the events that can be undone`,
        );
      }
      return count;
    });
    await terminal.print(`restored ${restored}`);
  });
}
