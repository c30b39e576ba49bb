import { ExactDecimal, type PrunedTimes, type TimeDescription } from './describe-times.js';
import { FIGURES, type Figure, type FigureDifference, isSame, type StoredFigures, TIMES } from './figures.js';

type Time = (typeof TIMES)[number];

/**
 * The figures that are stored for each month. Average and deviation are not stored; they are computed when they are
 * read.
 */
export const MONTHLY_FIGURES: readonly Figure[] = FIGURES.filter(
  ({ part }) => part !== 'average' && part !== 'deviation',
);

/**
 * A completed operation. Its times are in hours as decimal text with 6 decimals, its time of completion is in UTC, and
 * its month is in the time zone of the company.
 */
export interface ReportedOperation extends Readonly<Record<Time, string | null>> {
  readonly completedAt: string;
  readonly month: string;
}

/** Sums of times. Values are in whole microhours, and the sum of squares is in square microhours. */
interface Sums {
  count: bigint;
  sum: bigint;
  sumOfSquares: bigint;
  shortest: bigint | null;
  longest: bigint | null;
}

export type MonthlySums = Readonly<Record<Time, Sums>> & { last: string | null };

export type PrunedMonth = Readonly<Record<Time, PrunedTimes>> & {
  readonly month: string;
  /** Time of the last completion; null if unknown. */
  readonly last: string | null;
};

/** Adds up operations by the month of their completion. The sums are integers of any size, so nothing is rounded. */
export function addUpMonths(operations: readonly ReportedOperation[]): ReadonlyMap<string, MonthlySums> {
  const months = new Map<string, MonthlySums>();
  for (const operation of operations) {
    const { month } = operation;
    const sums = months.get(month) ?? nothing();
    months.set(month, sums);
    for (const time of TIMES) {
      const hours = operation[time];
      if (hours !== null) add(sums[time], BigInt(hours.replace('.', '')));
    }
    sums.last = later(sums.last, operation.completedAt);
  }
  return months;
}

function nothing(): MonthlySums {
  const sums = () => ({ count: 0n, sum: 0n, sumOfSquares: 0n, shortest: null, longest: null });
  return { run: sums(), setup: sums(), cleanup: sums(), last: null };
}

function add(sums: Sums, value: bigint): void {
  sums.count += 1n;
  sums.sum += value;
  sums.sumOfSquares += value * value;
  if (sums.shortest === null || value < sums.shortest) sums.shortest = value;
  if (sums.longest === null || value > sums.longest) sums.longest = value;
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}

/** The stored figures of a month, in hours, and the time of the last completion in that month. */
export interface StoredMonth {
  readonly month: string;
  readonly last: string | null;
  readonly figures: StoredFigures;
}

interface MonthlyDifference extends FigureDifference {
  readonly month: string;
}

/**
 * Finds the monthly figures of a structure version that differ in any digit from a recomputation from the operations,
 * including pruned operations.
 */
export function findMonthlyDifferences(months: {
  readonly reported: ReadonlyMap<string, MonthlySums>;
  readonly pruned: readonly PrunedMonth[];
  readonly stored: readonly StoredMonth[];
}): readonly MonthlyDifference[] {
  const pruned = new Map(months.pruned.map((one) => [one.month, one]));
  const stored = new Map(months.stored.map((one) => [one.month, one]));
  const all = new Set([...months.reported.keys(), ...pruned.keys(), ...stored.keys()]);
  return [...all].sort().flatMap((month) => {
    const differences = compare(
      stored.get(month),
      months.reported.get(month) ?? nothing(),
      pruned.get(month),
    );
    return differences.map((difference) => ({ month, ...difference }));
  });
}

function compare(
  stored: StoredMonth | undefined,
  reported: MonthlySums,
  pruned: PrunedMonth | undefined,
): readonly FigureDifference[] {
  const totals = {
    run: total(reported.run, pruned?.run),
    setup: total(reported.setup, pruned?.setup),
    cleanup: total(reported.cleanup, pruned?.cleanup),
  };
  const figures = MONTHLY_FIGURES.map(({ name, column, time, part }) => ({
    figure: name,
    stored: stored?.figures[column] ?? null,
    recomputed: totals[time][part] ?? null,
  })).filter((one) => !isSame(one.stored, one.recomputed));
  const last = {
    figure: 'lastCompletedAt',
    stored: stored?.last ?? null,
    recomputed: later(reported.last, pruned?.last ?? null),
  };
  return last.stored === last.recomputed ? figures : [...figures, last];
}

/** Returns the totals by figure, in hours as decimal text. A figure without values is null. */
function total(reported: Sums, pruned?: PrunedTimes): Partial<Record<keyof TimeDescription, string | null>> {
  const hours = (units: bigint, decimals: number) =>
    new ExactDecimal(units.toString()).times(`1e-${decimals}`);
  const extremes = [reported.shortest, reported.longest]
    .filter((one) => one !== null)
    .map((one) => hours(one, 6));
  if (pruned !== undefined && pruned.count !== '0') {
    extremes.push(new ExactDecimal(pruned.shortest), new ExactDecimal(pruned.longest));
  }
  return {
    count: hours(reported.count, 0)
      .plus(pruned?.count ?? 0)
      .toFixed(),
    sum: hours(reported.sum, 6)
      .plus(pruned?.sum ?? 0)
      .toFixed(6),
    sumOfSquares: hours(reported.sumOfSquares, 12)
      .plus(pruned?.sumOfSquares ?? 0)
      .toFixed(12),
    shortest: extremes.length === 0 ? null : ExactDecimal.min(...extremes).toFixed(6),
    longest: extremes.length === 0 ? null : ExactDecimal.max(...extremes).toFixed(6),
  };
}
