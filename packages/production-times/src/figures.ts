import { describeTimes, ExactDecimal, type PrunedTimes, type TimeDescription } from './describe-times.js';
import { COMPARISON_FIGURES, compareWithPlan } from './plan-comparison.js';

export const TIMES = ['run', 'setup', 'cleanup'] as const;
type Time = (typeof TIMES)[number];

/** What completed operations of one structure version report, in hours as decimal text; nulls left out. */
export type ReportedTimes = Readonly<Record<Time, readonly string[]>>;

/** What is left of those that were pruned, by month. */
export type PrunedFigures = Readonly<Record<Time, readonly PrunedTimes[]>>;

export interface Figure {
  readonly name: string;
  /** Of takt.product_structure_versions. */
  readonly column: string;
  /** Stored in whole microhours; all else is a count or in hours. */
  readonly isInMicrohours: boolean;
  readonly time: Time;
  readonly part: keyof TimeDescription;
}

/** The figures of a structure version: those served, and the sums and counts that they are derived from. */
export const FIGURES: readonly Figure[] = [
  // Each operation has a run time, so the number of operations is also the count of these.
  figure('run', 'count', 'number_of_completed_operations', 'numberOfCompletedProductionWorkOrders'),
  figure('setup', 'count', 'setup_time_count'),
  figure('cleanup', 'count', 'cleanup_time_count'),
  ...TIMES.flatMap((time) => [
    figure(time, 'average', `average_${time}_time`),
    figure(time, 'shortest', `shortest_${time}_time`),
    figure(time, 'longest', `longest_${time}_time`),
    figure(time, 'deviation', `deviation_${time}_time`),
    figure(time, 'sum', `${time}_time_sum`),
    figure(time, 'sumOfSquares', `${time}_time_sum_of_squares`),
  ]),
];

function figure(time: Figure['time'], part: Figure['part'], column: string, name?: string): Figure {
  return {
    time,
    part,
    column,
    isInMicrohours: ['average', 'shortest', 'longest', 'deviation'].includes(part),
    name: name ?? column.replace(/_./g, ([, letter = '']) => letter.toUpperCase()),
  };
}

/** The stored figures and plan of one structure version as decimal text, in hours but for counts and percentages, by column. */
export type StoredFigures = Readonly<Record<string, string | null>>;

export interface FigureDifference {
  readonly figure: string;
  readonly stored: string | null;
  readonly recomputed: string | null;
}

/**
 * The figures that are not in every digit what the reported times give, with what was pruned of them and what is planned;
 * those of a missing row count as null.
 */
export function findDifferences(
  row: StoredFigures | undefined,
  times: ReportedTimes,
  pruned: PrunedFigures,
): readonly FigureDifference[] {
  const described = {
    run: describeTimes(times.run, pruned.run),
    setup: describeTimes(times.setup, pruned.setup),
    cleanup: describeTimes(times.cleanup, pruned.cleanup),
  };
  const compared = compareWithPlan(row, described);
  const recomputed = [
    ...FIGURES.map(({ name, column, time, part }) => ({ name, column, value: described[time][part] })),
    ...COMPARISON_FIGURES.map(({ name, column }) => ({ name, column, value: compared[column] ?? null })),
  ];
  return recomputed
    .map(({ name, column, value }) => ({ figure: name, stored: row?.[column] ?? null, recomputed: value }))
    .filter((one) => !isSame(one.stored, one.recomputed));
}

/** Sums have no fixed number of decimals: 0 and 0.000000 are the same. */
export function isSame(stored: string | null, recomputed: string | null): boolean {
  if (stored === recomputed) return true;
  return stored !== null && recomputed !== null && new ExactDecimal(stored).eq(recomputed);
}
