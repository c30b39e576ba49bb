import type { RejectedEvent, RejectedEvents } from '@takt/database/rejected-events';
import { ruleOf } from '@takt/events/view';
import { withProgress } from '../progress.js';
import { type Column, formatTable } from '../table.js';
import { printable, printableLines, type Terminal } from '../terminal.js';

const COLUMNS: readonly Column<RejectedEvent>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'REJECTED AT', value: ({ rejectedAtMs }) => instantOf(rejectedAtMs) ?? 'unknown' },
  { title: 'SOURCE', value: ({ source }) => source ?? '-' },
  { title: 'EVENT ID', value: ({ eventId }) => eventId ?? '-' },
  { title: 'REASON', value: ({ reason }) => reason },
];

/** Prints rejected events in pages, so that the memory stays bounded. Returns the number of events. */
export async function printRejectedList(
  rejected: RejectedEvents,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  let printed = 0;
  for await (const events of rejected.list()) {
    const options = { width: terminal.columns, withTitles: printed === 0 };
    const lines = asJson
      ? events.map((event, index) => (printed + index === 0 ? '[' : ',') + toJson(summaryOf(event)))
      : events.length === 0
        ? []
        : formatTable(COLUMNS, events, options);
    for (const line of lines) await terminal.print(line);
    printed += events.length;
  }
  if (asJson) await terminal.print(printed === 0 ? '[]' : ']');
  return printed;
}

/** A group of events that were rejected for the same reason. The values that broke the rule may differ. */
interface ReasonGroup {
  readonly reason: string;
  readonly count: number;
  readonly lastRejectedAt: string | null;
  /** The id of one of these events. */
  readonly example: string;
}

const GROUP_COLUMNS: readonly Column<ReasonGroup>[] = [
  { title: 'COUNT', value: ({ count }) => String(count), isNumber: true },
  { title: 'LAST REJECTED AT', value: ({ lastRejectedAt }) => lastRejectedAt ?? 'unknown' },
  { title: 'EXAMPLE', value: ({ example }) => example },
  { title: 'REASON', value: ({ reason }) => reason },
];

/** Prints a line for each reason. The most frequent reason comes first. Returns the number of events. */
export async function printReasons(
  rejected: RejectedEvents,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const groups = new Map<string, { count: number; lastRejectedAtMs: number; example: string }>();
  const total = await withProgress(terminal, 'rejected events read:', undefined, async ({ update }) => {
    let seen = 0;
    for await (const events of rejected.list()) {
      for (const { id, reason, rejectedAtMs } of events) {
        const rule = ruleOf(reason);
        const group = groups.get(rule) ?? {
          count: 0,
          lastRejectedAtMs: Number.NEGATIVE_INFINITY,
          example: id,
        };
        const isLater = rejectedAtMs >= group.lastRejectedAtMs;
        const lastRejectedAtMs = isLater ? rejectedAtMs : group.lastRejectedAtMs;
        groups.set(rule, { count: group.count + 1, lastRejectedAtMs, example: isLater ? id : group.example });
      }
      seen += events.length;
      update(seen);
    }
    return seen;
  });
  const lines: readonly ReasonGroup[] = [...groups]
    .map(([reason, { count, lastRejectedAtMs, example }]) => {
      return { reason, count, lastRejectedAt: instantOf(lastRejectedAtMs), example };
    })
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
  if (asJson) {
    await terminal.print(toJson(lines));
  } else if (lines.length > 0) {
    const table = formatTable(GROUP_COLUMNS, lines, { width: terminal.columns });
    for (const line of table) await terminal.print(line);
  }
  return total;
}

/** Prints one event with everything that is known about its rejection. */
export async function printRejectedEvent(
  event: RejectedEvent,
  asJson: boolean,
  terminal: Terminal,
): Promise<void> {
  const summary = summaryOf(event);
  if (asJson) {
    await terminal.print(toJson({ ...summary, event: event.event }));
    return;
  }
  const lines = {
    id: summary.id,
    queue: summary.queue,
    source: summary.source ?? '-',
    'event id': summary.eventId ?? '-',
    type: summary.type ?? '-',
    'added at': summary.addedAt ?? 'unknown',
    'rejected at': summary.rejectedAt ?? 'unknown',
    deliveries: String(summary.deliveries),
    'kept in': summary.keptIn,
    reason: summary.reason,
  };
  for (const [name, value] of Object.entries(lines)) {
    await terminal.print(`${name.padEnd(12)} ${printable(value)}`);
  }
  await terminal.print('event');
  await terminal.print(printableLines(JSON.stringify(event.event, null, 2)));
}

function summaryOf(event: RejectedEvent) {
  const { id, queue, source, eventId, type, deliveries, reason } = event;
  return {
    id,
    queue,
    source,
    eventId,
    type,
    addedAt: instantOf(event.addedAtMs),
    rejectedAt: instantOf(event.rejectedAtMs),
    deliveries,
    keptIn: event.isExported ? 'database' : 'queue',
    reason,
  };
}

/** Returns the value as JSON without control characters, so that it is safe on a terminal. */
function toJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** Returns a time in ISO 8601; null if the time is unknown. */
function instantOf(ms: number): string | null {
  // A Date cannot represent larger values.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}
