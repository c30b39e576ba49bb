import fc from 'fast-check';
import { MAX_MICROHOURS } from './hours.js';

const MAX_COUNT = 10n ** 12n;

/** The sum and the sum of squares of n values in microhours. */
export interface Sums {
  readonly n: bigint;
  readonly sum: bigint;
  readonly sumOfSquares: bigint;
}

export function sumsOf(microhours: readonly bigint[]): Sums {
  return {
    n: BigInt(microhours.length),
    sum: microhours.reduce((total, value) => total + value, 0n),
    sumOfSquares: microhours.reduce((total, value) => total + value * value, 0n),
  };
}

/** Generates the sums of 1 to 30 values, which can be the smallest, ordinary or the largest values. */
export function sumsOfMany(): fc.Arbitrary<Sums> {
  const microhours = fc.oneof(
    fc.bigInt(0n, 3n),
    fc.bigInt(0n, 10n ** 7n),
    fc.bigInt(MAX_MICROHOURS - 9n, MAX_MICROHOURS),
  );
  return fc.array(microhours, { minLength: 1, maxLength: 30 }).map(sumsOf);
}

/**
 * Generates sums whose deviation is exactly at a tie between two microhours, just below it or just above it. The
 * deviation is c / 2 microhours if n * sumOfSquares - sum^2 = (c * n / 2)^2. That square is divisible by n if n is
 * divisible by 4. If the sum is 0 modulo n, the difference n * sumOfSquares - sum^2 can be exactly the square. If the
 * sum is 1 modulo n, the difference is -1 modulo n: it is 1 below the square, or n - 1 above it.
 */
export function sumsNearTie(): fc.Arbitrary<Sums> {
  return fc
    .record({
      quarter: fc.bigInt(1n, MAX_COUNT / 4n),
      half: fc.bigInt(0n, MAX_MICROHOURS / 4n).map((value) => 2n * value + 1n),
      offset: fc.constantFrom(-1n, 0n, 1n),
      each: fc.bigInt(1n, MAX_MICROHOURS),
    })
    .map(({ quarter, half, offset, each }) => {
      const n = 4n * quarter;
      const tie = (half * n) / 2n;
      const sum = each * n + (offset === 0n ? 0n : 1n);
      const difference = tie * tie + (offset === 1n ? n - 1n : offset);
      return { n, sum, sumOfSquares: (difference + sum * sum) / n };
    });
}
