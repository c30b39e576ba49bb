import type { Decimal } from 'decimal.js';
import { ExactDecimal, type TimeDescription } from './describe-times.js';

const TIMES = ['run', 'setup', 'cleanup'] as const;
type Time = (typeof TIMES)[number];

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
    figure(`${time}_time_difference`, '0.000001'),
    figure(`${time}_time_over_plan_percent`, '0.01'),
    figure(`${time}_time_hours_over_plan`, '0.000001'),
  ]),
  figure('hours_over_plan', '0.000001'),
];

function figure(column: string, unit: ComparisonFigure['unit']): ComparisonFigure {
  return { name: column.replace(/_./g, ([, letter = '']) => letter.toUpperCase()), column, unit };
}

/**
 * How actual times compare with planned ones, as decimal text by column: hours with 6 decimals and percent with 2, a half
 * rounded away from zero; null where there is nothing to compare.
 * @param planned hours by column; undefined where the row is missing
 */
export function compareWithPlan(
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
