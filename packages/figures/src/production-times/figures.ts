import type { Decimal } from 'decimal.js';
import { describeTimes, ExactDecimal, type PrunedTimes, type TimeDescription } from './describe-times.js';

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
    name: name ?? nameOf(column),
  };
}

/** As the API serves it. */
function nameOf(column: string): string {
  return column.replace(/_./g, ([, letter = '']) => letter.toUpperCase());
}

/** A figure that compares actual with planned times. */
interface ComparisonFigure {
  readonly name: string;
  /** Of takt.product_structure_versions. */
  readonly column: string;
  /** What a whole number stored there is multiplied with to be hours or percent. */
  readonly unit: '0.000001' | '0.01';
}

/** The columns of the plan, in microhours. */
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

/**
 * How actual times compare with planned ones, as decimal text by column: hours with 6 decimals and percent with 2, a half
 * rounded away from zero; null where there is nothing to compare.
 * @param planned hours by column; undefined where the row is missing
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

/** Of all operations together, because their average is rounded. */
function percentOf(over: Decimal | null, count: string, plan: string | null): string | null {
  const planned = new ExactDecimal(count).times(plan ?? 0);
  return over === null || planned.isZero() ? null : over.times(100).div(planned).toFixed(2);
}

/** Hours beyond which no sum is stored: rather a bound than an event that fails. */
const BOUND = new ExactDecimal('9e12');

function bounded(hours: Decimal): string {
  return ExactDecimal.max(ExactDecimal.min(hours, BOUND), BOUND.negated()).toFixed(6);
}
