import type { FlowRange, FlowSlot } from '@takt/database/monitoring';
import type { Markup } from '@takt/pages';
import { End, Note, WideTable } from '../pages/parts.js';
import { dayFormat, timeFormat } from './chart.js';
import { inWholeUnits, longest, sumOf } from './flow-regions.js';
import type { OperationsView } from './view.js';

/** The time of one row in seconds: as many rows as can be compared at a glance. */
const ROW_SECONDS: Readonly<Record<FlowRange, number>> = { hour: 600, day: 3_600, month: 86_400 };

interface Row {
  readonly beginsMs: number;
  readonly events: number;
  readonly rejected: number;
  /** The longest lag in seconds; null if no event was applied. */
  readonly lag: number | null;
  /** The most jobs that waited; null if unknown. */
  readonly jobs: number | null;
}

const COLUMNS = ['events', 'rejected', 'lag', 'jobs'] as const;

/** The values of the charts in steps of ten minutes, hours or days, the newest first. The worst of a column is bold. */
export function ValuesTable({ range, history, words }: OperationsView): Markup {
  const { say, number, span } = words;
  const rows = rowsOf(history, range);
  if (rows.length === 0) return <Note>{say('nothingYet')}</Note>;
  const worst = Object.fromEntries(
    COLUMNS.map((column) => [column, Math.max(...rows.map((row) => row[column] ?? 0))]),
  );
  const format = {
    events: number,
    rejected: number,
    lag: (seconds: number) => span(inWholeUnits(seconds)),
    jobs: number,
  };
  const time = timeFormat(range, words.language);
  // The hours of a day are of two days.
  const day = range === 'day' ? dayFormat(words.language) : undefined;
  const nameOf = (atMs: number) => (day === undefined ? time(atMs) : `${day(atMs)}, ${time(atMs)}`);
  return (
    <WideTable
      name={say('chartValues')}
      words={words}
      columns={[
        say('beginning'),
        `>${say('events')}`,
        `>${say('rejected')}`,
        `>${say('longestLag')}`,
        `>${say('jobsThatWait')}`,
      ]}
    >
      {rows.toReversed().map((row) => (
        <tr>
          <th scope="row">
            <time datetime={new Date(row.beginsMs).toISOString()}>{nameOf(row.beginsMs)}</time>
          </th>
          {COLUMNS.map((column) => {
            const value = row[column];
            const text = value === null ? '–' : format[column](value);
            const isWorst = value !== null && value > 0 && value === worst[column];
            return <End>{isWorst ? <strong>{text}</strong> : text}</End>;
          })}
        </tr>
      ))}
    </WideTable>
  );
}

function rowsOf(history: readonly FlowSlot[], range: FlowRange): readonly Row[] {
  const rowMs = ROW_SECONDS[range] * 1_000;
  const slots = new Map<number, FlowSlot[]>();
  for (const slot of history) {
    const beginsMs = Math.floor(slot.beginsAt.getTime() / rowMs) * rowMs;
    slots.set(beginsMs, [...(slots.get(beginsMs) ?? []), slot]);
  }
  return [...slots].map(([beginsMs, own]) => ({
    beginsMs,
    events: own.reduce((sum, { events }) => sum + sumOf(events), 0),
    rejected: own.reduce((sum, { events }) => sum + events.rejected, 0),
    lag: longest(own.map(({ publishingLagSeconds }) => publishingLagSeconds)),
    jobs: longest(own.map(({ waitingJobs }) => waitingJobs)),
  }));
}
