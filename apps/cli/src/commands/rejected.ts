import { type EventQueue, toListable } from '@takt/events';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { UsageError } from '../errors.js';
import { type JobKey, listFailedJobs, readJob, type StoredJob } from '../queues.js';
import {
  assertIsRejected,
  changeRejected,
  discardRejected,
  formatRejectedId,
  notRejected,
  parseRejectedId,
  retryRejected,
} from '../rejected-jobs.js';
import { type Column, formatTable } from '../table.js';
import { printable, printableLines, type Terminal } from '../terminal.js';

const COLUMNS: readonly Column<StoredJob>[] = [
  { title: 'ID', value: ({ key }) => formatRejectedId(key) },
  { title: 'REJECTED AT', value: ({ finishedAtMs }) => instantOf(finishedAtMs) ?? 'unknown' },
  { title: 'REASON', value: ({ failedReason }) => failedReason },
];

interface JsonOption {
  readonly json?: boolean;
}

const ID_HELP = 'as takt rejected list prints it';

export function addCommand(program: Command, terminal: Terminal): void {
  const rejected = program.command('rejected').description('the events that were rejected, and why');
  rejected
    .command('list')
    .description('list the rejected events of each queue, the oldest first')
    .option('--json', 'print JSON')
    .action(({ json }: JsonOption) =>
      withQueues(terminal, (queues) => printRejectedList(queues, json === true, terminal)),
    );
  rejected
    .command('show')
    .description('show a rejected event and the whole reason')
    .argument('<id>', ID_HELP)
    .option('--json', 'print JSON')
    .action((id: string, { json }: JsonOption) =>
      withQueues(terminal, (queues) =>
        printRejectedEvent(parseRejectedId(id, queues), json === true, terminal),
      ),
    );
  rejected
    .command('retry')
    .description('put rejected events back into their queues; prints: retried N')
    .argument('[id...]', ID_HELP)
    .option('--all', 'all that are rejected now')
    .action((ids: readonly string[], { all }: { readonly all?: boolean }) =>
      retry(ids, all === true, terminal),
    );
  rejected
    .command('discard')
    .description('remove rejected events for good; prints: discarded N')
    .argument('<id...>', ID_HELP)
    .action((ids: readonly string[]) => discard(ids, terminal));
}

async function retry(ids: readonly string[], all: boolean, terminal: Terminal): Promise<void> {
  if (all === ids.length > 0) throw new UsageError('name the events to retry, or all with --all');
  await withQueues(terminal, async (queues) => {
    // All are listed before any is retried: one that is rejected again at once is not retried for ever.
    const keys = all ? await listAllFailed(queues) : ids.map((id) => parseRejectedId(id, queues));
    await terminal.print(`retried ${await changeRejected(keys, retryRejected, terminal)}`);
  });
}

async function discard(ids: readonly string[], terminal: Terminal): Promise<void> {
  await withQueues(terminal, async (queues) => {
    const keys = ids.map((id) => parseRejectedId(id, queues));
    await terminal.print(`discarded ${await changeRejected(keys, discardRejected, terminal)}`);
  });
}

async function listAllFailed(queues: readonly EventQueue[]): Promise<readonly JobKey[]> {
  const keys: JobKey[] = [];
  for (const queue of queues) {
    for await (const page of listFailedJobs(queue)) keys.push(...page);
  }
  return keys;
}

function withQueues(
  terminal: Terminal,
  work: (queues: readonly EventQueue[]) => Promise<void>,
): Promise<void> {
  return withContext(terminal, async (context) => work((await context.openQueues()).all));
}

/** Prints what is rejected, page by page: a failed set may be larger than the memory. */
async function printRejectedList(
  queues: readonly EventQueue[],
  asJson: boolean,
  terminal: Terminal,
): Promise<void> {
  let printed = 0;
  for (const queue of queues) {
    for await (const keys of listFailedJobs(queue)) {
      const events = (await Promise.all(keys.map(readJob))).filter((event) => event !== undefined);
      const options = { width: terminal.columns, withTitles: printed === 0 };
      const lines = asJson
        ? events.map((event, index) => (printed + index === 0 ? '[' : ',') + toJson(summaryOf(event)))
        : formatTable(COLUMNS, events, options);
      for (const line of lines) await terminal.print(line);
      printed += events.length;
    }
  }
  if (asJson) {
    await terminal.print(printed === 0 ? '[]' : ']');
  } else if (printed === 0) {
    terminal.say('nothing is rejected');
  }
}

/** Prints one event with all that is known of its rejection. Throws a CommandError where it is not rejected. */
async function printRejectedEvent(key: JobKey, asJson: boolean, terminal: Terminal): Promise<void> {
  await assertIsRejected(key);
  const event = await readJob(key);
  if (event === undefined) throw notRejected(key);
  if (asJson) {
    await terminal.print(toJson({ ...summaryOf(event), event: toListable(event.data) }));
    return;
  }
  const { id, queue, addedAt, rejectedAt, deliveries, reason } = summaryOf(event);
  await terminal.print(`id           ${printable(id)}`);
  await terminal.print(`queue        ${queue}`);
  await terminal.print(`added at     ${addedAt ?? 'unknown'}`);
  await terminal.print(`rejected at  ${rejectedAt ?? 'unknown'}`);
  await terminal.print(`deliveries   ${deliveries}`);
  await terminal.print(`reason       ${printable(reason)}`);
  await terminal.print('event');
  await terminal.print(printableLines(JSON.stringify(toListable(event.data), null, 2)));
}

function summaryOf({ key, failedReason, addedAtMs, finishedAtMs, deliveries }: StoredJob) {
  return {
    id: formatRejectedId(key),
    queue: key.queue.name,
    addedAt: instantOf(addedAtMs),
    rejectedAt: instantOf(finishedAtMs),
    deliveries,
    reason: failedReason,
  };
}

/** JSON that does nothing to a terminal either. */
function toJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** A time as people and JSON have it; null where it is not known. */
function instantOf(ms: number): string | null {
  // Beyond this a Date is invalid.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}
