import { type EventQueue, toListable } from '@takt/events';
import { printable, printableLines } from '../output/printable.js';
import { type Column, formatTable } from '../output/table.js';
import { type JobPlace, readJob, type StoredJob } from '../queues/read-job.js';
import type { Terminal } from '../terminal.js';
import { listFailedPlaces } from './list-failed-places.js';
import { assertIsRejected, formatRejectedId, notRejected } from './rejected-id.js';

const COLUMNS: readonly Column<StoredJob>[] = [
  { title: 'ID', value: ({ place }) => formatRejectedId(place) },
  { title: 'REJECTED AT', value: ({ finishedAtMs }) => instantOf(finishedAtMs) ?? 'unknown' },
  { title: 'REASON', value: ({ failedReason }) => failedReason },
];

/** Prints what is rejected, page by page: a failed set may be larger than the memory. */
export async function printRejectedList(
  queues: readonly EventQueue[],
  asJson: boolean,
  terminal: Terminal,
): Promise<void> {
  let printed = 0;
  for (const queue of queues) {
    for await (const places of listFailedPlaces(queue)) {
      const events = (await Promise.all(places.map(readJob))).filter((event) => event !== undefined);
      const options = { width: terminal.columns, withTitles: printed === 0 };
      const lines = asJson
        ? events.map((event, index) => (printed + index === 0 ? '[' : ',') + toJson(summaryOf(event)))
        : formatTable(COLUMNS, events, options);
      for (const line of lines) await terminal.print(line);
      printed += events.length;
    }
  }
  if (asJson) await terminal.print(printed === 0 ? '[]' : ']');
  else if (printed === 0) terminal.say('nothing is rejected');
}

/** Prints one event with all that is known of its rejection. Throws a CommandError where it is not rejected. */
export async function printRejectedEvent(
  place: JobPlace,
  asJson: boolean,
  terminal: Terminal,
): Promise<void> {
  await assertIsRejected(place);
  const event = await readJob(place);
  if (event === undefined) throw notRejected(place);
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

function summaryOf({ place, failedReason, addedAtMs, finishedAtMs, deliveries }: StoredJob) {
  return {
    id: formatRejectedId(place),
    queue: place.queue.name,
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
