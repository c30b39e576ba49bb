import { Decimal } from 'decimal.js';
import * as statistics from 'simple-statistics';

/**
 * Decimals for the audit. With 80 digits, every sum, product and square is exact; only square root and quotient are
 * rounded, far below the last served decimal (see describeTimes). The constructor is a separate one, because decimal.js
 * keeps precision and rounding mode in a constructor that the whole process shares.
 */
export const ExactDecimal = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });

/** The figures of one kind of time, in hours as decimal text. A figure is null if there are no values. */
export interface TimeDescription {
  readonly count: string;
  readonly sum: string;
  readonly sumOfSquares: string;
  readonly average: string | null;
  readonly shortest: string | null;
  readonly longest: string | null;
  readonly deviation: string | null;
}

/** The exact sums of pruned values, in hours. */
export interface PrunedTimes {
  readonly count: string;
  readonly sum: string;
  readonly sumOfSquares: string;
  readonly shortest: string;
  readonly longest: string;
}

const NO_VALUES: TimeDescription = {
  count: '0',
  sum: '0.000000',
  sumOfSquares: '0.000000000000',
  average: null,
  shortest: null,
  longest: null,
  deviation: null,
};

/**
 * Describes times by the definitions, in two passes over the values: average = sum / n, deviation = sqrt(sum((x -
 * average)^2) / n). Both are rounded half up to 6 decimals. The average of 3 values may have infinitely many decimals,
 * so the second pass multiplies by n. Then n * x - sum is exact, and the deviation is sqrt(n * sum((n * x - sum)^2)) /
 * n^2. Rounding half up is thus right even at a tie. A tie is a decimal of 7 places, for which root and quotient are
 * exact. Any other value differs from a tie by more than 1e-48 for up to 10^9 values below 10^7 hours, and 80 digits
 * leave an error below 1e-71. Pruned values are included by their sums. For pruned values, sum((n * x - sum)^2) is n^2
 * * sum(x^2) - 2 * n * sum * sum(x) + count * sum^2. Throws if simple-statistics, which computes in floating point,
 * gives another result: then neither result is reliable.
 */
export function describeTimes(
  values: readonly string[],
  pruned: readonly PrunedTimes[] = [],
): TimeDescription {
  if (values.length + pruned.length === 0) return NO_VALUES;
  const exact = values.map((value) => new ExactDecimal(value));
  const left = pruned.map(toExact);
  const n = total(left.map(({ count }) => count)).plus(values.length);
  const sum = total([...exact, ...left.map((one) => one.sum)]);
  const average = sum.div(n);
  const scaledSquares = total([
    ...exact.map((value) => squared(value.times(n).minus(sum))),
    ...left.map((one) =>
      squared(n)
        .times(one.sumOfSquares)
        .minus(n.times(2).times(sum).times(one.sum))
        .plus(one.count.times(squared(sum))),
    ),
  ]);
  const deviation = scaledSquares.times(n).sqrt().div(squared(n));

  // A double has 15 digits and the values have at most 13 digits, so the shortest and the longest time stay exact.
  const doubles = values.map(Number);
  const extremes = [
    ...doubles,
    ...pruned.flatMap(({ shortest, longest }) => [Number(shortest), Number(longest)]),
  ];
  const longest = statistics.max(extremes);
  const tolerance = 1e-6 + 1e-9 * longest;
  const inDoubles = describeInDoubles(doubles, left);
  assertPlausible('average', average, inDoubles.mean, tolerance);
  assertPlausible('deviation', deviation, Math.sqrt(inDoubles.variance), tolerance);
  return {
    count: n.toFixed(),
    sum: sum.toFixed(6),
    sumOfSquares: total([...exact.map(squared), ...left.map((one) => one.sumOfSquares)]).toFixed(12),
    average: average.toFixed(6),
    shortest: statistics.min(extremes).toFixed(6),
    longest: longest.toFixed(6),
    deviation: deviation.toFixed(6),
  };
}

type ExactTimes = Readonly<Record<'count' | 'sum' | 'sumOfSquares', Decimal>>;

function toExact({ count, sum, sumOfSquares }: PrunedTimes): ExactTimes {
  return {
    count: new ExactDecimal(count),
    sum: new ExactDecimal(sum),
    sumOfSquares: new ExactDecimal(sumOfSquares),
  };
}

/** Computes mean and variance in floating point. Pruned values are included by their sums. */
function describeInDoubles(values: readonly number[], pruned: readonly ExactTimes[]) {
  const groups = pruned.map(({ count, sum, sumOfSquares }) => {
    const mean = sum.div(count);
    return {
      count: count.toNumber(),
      mean: mean.toNumber(),
      variance: sumOfSquares.div(count).minus(squared(mean)).toNumber(),
    };
  });
  if (values.length > 0) {
    const { length: count } = values;
    groups.push({ count, mean: statistics.mean([...values]), variance: statistics.variance([...values]) });
  }
  return groups.reduce((one, other) => ({
    count: one.count + other.count,
    mean: statistics.combineMeans(one.mean, one.count, other.mean, other.count),
    variance: statistics.combineVariances(
      ...([one.variance, one.mean, one.count] as const),
      ...([other.variance, other.mean, other.count] as const),
    ),
  }));
}

function total(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => sum.plus(value), new ExactDecimal(0));
}

function squared(value: Decimal): Decimal {
  return value.times(value);
}

function assertPlausible(figure: string, exact: Decimal, double: number, tolerance: number): void {
  if (!(Math.abs(exact.toNumber() - double) <= tolerance)) {
    throw new Error(
      `audit contradicts itself: ${figure} is ${exact.toFixed(12)} by decimals, ${double} by doubles`,
    );
  }
}
