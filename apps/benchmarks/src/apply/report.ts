import { median } from '../statistics.js';

/** A row of the table: batches of `size` events, of which the share `duplicates` was applied before. */
export interface ApplyRow {
  readonly hasStatistics: boolean;
  readonly size: number;
  readonly duplicates: number;
}

/** What an event took in one round: CPU time of the backend in microseconds. */
export interface Sample extends ApplyRow {
  readonly microseconds: number;
}

export interface RowSummary extends Sample {
  /** To the row of the same size and statistics without duplicates. */
  readonly ratio: number;
}

/** How much dearer an event may be for duplicates in its batch. */
const MAX_RATIO = 1.5;

/** The median of each row over the rounds. */
export function summarise(rows: readonly ApplyRow[], samples: readonly Sample[]): readonly RowSummary[] {
  const isSame = (one: ApplyRow, other: ApplyRow) =>
    one.hasStatistics === other.hasStatistics &&
    one.size === other.size &&
    one.duplicates === other.duplicates;
  const middle = (row: ApplyRow) =>
    median(samples.filter((sample) => isSame(sample, row)).map(({ microseconds }) => microseconds));
  return rows.map((row) => {
    const microseconds = middle(row);
    return { ...row, microseconds, ratio: microseconds / middle({ ...row, duplicates: 0 }) };
  });
}

export function toMarkdown(rows: readonly RowSummary[]): string {
  const lines = rows.map(
    ({ size, duplicates, hasStatistics, microseconds, ratio }) =>
      `| ${size} | ${duplicates * 100} % | ${hasStatistics ? 'yes' : 'no'} | ${microseconds.toFixed(1)} | ${ratio.toFixed(2)} |`,
  );
  const highest = Math.max(...rows.map(({ ratio }) => ratio));
  return [
    '| events a batch | duplicates | statistics of companies | backend CPU µs/event | to 0 % |',
    '|--:|--:|---|--:|--:|',
    ...lines,
    '',
    `Highest ratio ${highest.toFixed(2)}, at most ${MAX_RATIO} is wanted.`,
    '',
  ].join('\n');
}
