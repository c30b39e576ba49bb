import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import {
  NotRejectedError,
  openRejectedEvents,
  type RejectedEvents,
  UnreadableJobError,
} from '@takt/database/rejected-events';
import { describeProblems, findPublishingProblems, QUEUE_NAMES } from '@takt/events';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { CommandError, describeError, UsageError } from '../errors.js';
import { withProgress } from '../progress.js';
import { printReasons, printRejectedEvent, printRejectedList } from '../rejected-list.js';
import type { Terminal } from '../terminal.js';

const ID_HELP = 'as takt rejected list prints it';
const HELP = `
Rejected events stay in their queues. The worker moves the oldest beyond REJECTED_MAX_COUNT or REJECTED_MAX_AGE to the
table takt.rejected_events. These commands show both as one list.`;
const LIST_HELP = `
--by-reason groups events whose reasons differ only in values. EXAMPLE is the id of the newest event of a group, for
takt rejected show.`;
const RETRY_HELP = `
--data FILE (- for standard input) holds the event that replaces the rejected one. It is checked before anything is
changed.`;

interface ListFlags {
  readonly byReason?: boolean;
  readonly json?: boolean;
}

interface RetryFlags {
  readonly all?: boolean;
  readonly data?: string;
}

export function addCommand(rejected: Command, terminal: Terminal): void {
  rejected.addHelpText('after', HELP);
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
    .argument('<id>', ID_HELP)
    .option('--json', 'print JSON')
    .action((id: string, { json }: { readonly json?: boolean }) => show(id, json === true, terminal));
  rejected
    .command('retry')
    .description('put rejected events back into their queues; prints: retried N')
    .argument('[id...]', ID_HELP)
    .option('--all', 'all events that are rejected now')
    .option('--data <file>', 'the corrected event, for one id')
    .addHelpText('after', RETRY_HELP)
    .action((ids: readonly string[], flags: RetryFlags) => retry(ids, flags, terminal));
  rejected
    .command('discard')
    .description('remove rejected events for good; prints: discarded N')
    .argument('<id...>', ID_HELP)
    .action((ids: readonly string[]) => discard(ids, terminal));
}

async function list({ byReason, json }: ListFlags, terminal: Terminal): Promise<void> {
  await withRejected(terminal, async (events) => {
    const print = byReason === true ? printReasons : printRejectedList;
    const found = await print(events, json === true, terminal);
    const next = 'takt rejected list --by-reason counts them by reason';
    if (found === 0 || byReason !== true) {
      terminal.say(found === 0 ? 'takt: nothing is rejected' : `takt: ${found} rejected, ${next}`);
    }
  });
}

async function show(id: string, asJson: boolean, terminal: Terminal): Promise<void> {
  assertIds([id]);
  await withRejected(terminal, async (events) => {
    for (const event of await events.find(id)) await printRejectedEvent(event, asJson, terminal);
  });
}

async function discard(ids: readonly string[], terminal: Terminal): Promise<void> {
  assertIds(ids);
  await withRejected(terminal, async (events) => {
    await terminal.print(`discarded ${await changeAll(events, ids, events.discard, terminal)}`);
  });
}

async function retry(
  ids: readonly string[],
  { all = false, data }: RetryFlags,
  terminal: Terminal,
): Promise<void> {
  if (all === ids.length > 0) throw new UsageError('name the events to retry, or all with --all');
  const [only = '', ...others] = ids;
  if (data !== undefined && (all || others.length > 0)) {
    throw new UsageError('--data holds one event: name the one id whose place it takes');
  }
  assertIds(ids);
  const corrected = data === undefined ? undefined : await readEvent(data, terminal);
  await withRejected(terminal, async (events) => {
    if (corrected !== undefined) {
      await events.changing(() => events.correct(only, corrected.event));
      await terminal.print('retried 1');
    } else {
      // All are listed before any is retried: one that is rejected again at once is not retried for ever.
      const chosen = all ? await events.listIds() : ids;
      await terminal.print(`retried ${await changeAll(events, chosen, events.retry, terminal)}`);
    }
    terminal.say('takt: takt drain waits until they are taken; what is wrong still is rejected again');
  });
}

/** Reads the one event of a file. Throws a CommandError that says what is wrong with it. */
async function readEvent(name: string, terminal: Terminal): Promise<{ readonly event: unknown }> {
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
  const problems = findPublishingProblems(event);
  if (problems.length === 0) return { event };
  throw new CommandError(
    `${name} holds no valid event, so nothing was retried: ${describeProblems(problems)}`,
  );
}

const CHANGES_AT_A_TIME = 50;
/** So many are changed before a worker that wants to move others gets its turn. */
const CHANGES_UNDER_A_LOCK = 1_000;

/** Changes rejected events; one that cannot be changed is told and does not stop the others. Gives how many were. */
async function changeAll(
  events: RejectedEvents,
  ids: readonly string[],
  change: (id: string) => Promise<number>,
  terminal: Terminal,
): Promise<number> {
  let changed = 0;
  await withProgress(terminal, 'rejected events changed:', ids.length, async (progress) => {
    const changeOne = async (id: string) => {
      try {
        const count = await change(id);
        changed += count;
      } catch (error) {
        if (!isOfTheEvent(error)) throw error;
        progress.say(`takt: ${describeError(error)}`);
        terminal.fail();
      }
    };
    for (const turn of slices(ids, CHANGES_UNDER_A_LOCK)) {
      await events.changing(async () => {
        for (const some of slices(turn, CHANGES_AT_A_TIME)) {
          await Promise.all(some.map(changeOne));
          progress.update(changed);
        }
      });
    }
  });
  return changed;
}

function* slices(ids: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}

/** Whether an error says something of one event, so that the others can go on. */
function isOfTheEvent(error: unknown): boolean {
  return error instanceof NotRejectedError || error instanceof UnreadableJobError;
}

/** Throws a UsageError where an id cannot be one. */
function assertIds(ids: readonly string[]): void {
  for (const id of ids) {
    if (QUEUE_NAMES.some((name) => id.startsWith(`${name}/`) && id.length > name.length + 1)) continue;
    throw new UsageError(
      `${id} is no id of a rejected event: it begins with ${QUEUE_NAMES.join(' or ')} and a slash, ` +
        'as takt rejected list prints it',
    );
  }
}

function withRejected(terminal: Terminal, work: (events: RejectedEvents) => Promise<void>): Promise<void> {
  return withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    await work(openRejectedEvents(pool, await context.openQueues())).catch((error: unknown) => {
      throw isOfTheEvent(error) ? new CommandError(describeError(error)) : error;
    });
  });
}
