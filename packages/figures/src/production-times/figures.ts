import type { Decimal } from 'decimal.js';
import { describeTimes, ExactDecimal, type PrunedTimes, type TimeDescription } from './describe-times.js';

export const TIMES = ['run', 'setup', 'cleanup'] as const;
type Time = (typeof TIMES)[number];

/**
 * The reported times of the completed operations of a structure version, in hours as decimal text. Times that were not
 * reported are left out.
 */
export type ReportedTimes = Readonly<Record<Time, readonly string[]>>;

/** The sums of pruned operations, with an entry for each month. */
export type PrunedFigures = Readonly<Record<Time, readonly PrunedTimes[]>>;

export interface Figure {
  readonly name: string;
  /** Column of takt.product_structure_versions with the figure. */
  readonly column: string;
  /** True if the column has whole microhours. Other columns have counts or hours. */
  readonly isInMicrohours: boolean;
  readonly time: Time;
  readonly part: keyof TimeDescription;
}

/**
 * The figures of a structure version: the figures that are served, and the sums and counts from which they are
 * computed.
 */
export const FIGURES: readonly Figure[] = [
  // Each operation has a run time, so the number of operations is also the count of run times.
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
    name: name ?? nameOf(column),
  };
}

function nameOf(column: string): string {
  return column.replace(/_./g, ([, letter = '']) => letter.toUpperCase());
}

interface ComparisonFigure {
  readonly name: string;
  /** Column of takt.product_structure_versions with the figure. */
  readonly column: string;
  /** Factor by which the stored integer is multiplied to get hours or percent. */
  readonly unit: '0.000001' | '0.01';
}

/** The columns with the planned times, in microhours. */
export const PLAN_COLUMNS = TIMES.map((time) => `${time}_time`);

export const COMPARISON_FIGURES: readonly ComparisonFigure[] = [
  ...TIMES.flatMap((time) => [
    comparison(`${time}_time_difference`, '0.000001'),
    comparison(`${time}_time_over_plan_percent`, '0.01'),
    comparison(`${time}_time_hours_over_plan`, '0.000001'),
  ]),
  comparison('hours_over_plan', '0.000001'),
];

function comparison(column: string, unit: ComparisonFigure['unit']): ComparisonFigure {
  return { name: nameOf(column), column, unit };
}

/**
 * The stored figures and planned times of a structure version, by column. Values are decimal text in hours, except
 * counts and percentages.
 */
export type StoredFigures = Readonly<Record<string, string | null>>;

export interface FigureDifference {
  readonly figure: string;
  readonly stored: string | null;
  readonly recomputed: string | null;
}

/**
 * Finds the stored figures that differ in any digit from a recomputation. The recomputation uses the reported times,
 * the sums of pruned operations and the plan. If the row of figures is missing, each figure counts as null.
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

/**
 * Returns true if both are null, or the same number. Sums have no fixed number of decimals, so 0 and 0.000000 are
 * equal.
 */
export function isSame(stored: string | null, recomputed: string | null): boolean {
  if (stored === recomputed) return true;
  return stored !== null && recomputed !== null && new ExactDecimal(stored).eq(recomputed);
}

/**
 * Compares actual with planned times. Results are decimal text by column: hours with 6 decimals and percentages with 2
 * decimals, rounded half away from zero. A result is null if there is no plan or no time.
 * @param planned planned hours by column; undefined if the row of figures is missing
 */
function compareWithPlan(
  planned: Readonly<Record<string, string | null>> | undefined,
  described: Readonly<Record<Time, TimeDescription>>,
): Readonly<Record<string, string | null>> {
  const overPlan: Decimal[] = [];
  const figures: Record<string, string | null> = {};
  for (const time of TIMES) {
    const { average, count, sum } = described[time];
    const plan = planned?.[`${time}_time`] ?? null;
    const over = plan === null ? null : new ExactDecimal(sum).minus(new ExactDecimal(count).times(plan));
    if (over !== null) overPlan.push(over);
    const difference = plan === null || average === null ? null : new ExactDecimal(average).minus(plan);
    figures[`${time}_time_difference`] = difference?.toFixed(6) ?? null;
    figures[`${time}_time_over_plan_percent`] = percentOf(over, count, plan);
    figures[`${time}_time_hours_over_plan`] = over === null ? null : bounded(over);
  }
  const [first, ...others] = overPlan;
  figures['hours_over_plan'] =
    first === undefined ? null : bounded(others.reduce((one, other) => one.plus(other), first));
  return figures;
}

/** The percentage is computed from the sums, because the average is rounded. */
function percentOf(over: Decimal | null, count: string, plan: string | null): string | null {
  const planned = new ExactDecimal(count).times(plan ?? 0);
  return over === null || planned.isZero() ? null : over.times(100).div(planned).toFixed(2);
}

/** The largest number of hours that is stored for a sum. A larger sum is capped, so that the event does not fail. */
const BOUND = new ExactDecimal('9e12');

function bounded(hours: Decimal): string {
  return ExactDecimal.max(ExactDecimal.min(hours, BOUND), BOUND.negated()).toFixed(6);
}
