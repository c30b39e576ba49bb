import fc from 'fast-check';
import { MAX_MICROHOURS } from './hours.js';

const MAX_COUNT = 10n ** 12n;

/** n values, described by their sum and their sum of squares in microhours. */
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

/** Sums of 1 to 30 values: the smallest, ordinary ones and the largest. */
export function sumsOfMany(): fc.Arbitrary<Sums> {
  const microhours = fc.oneof(
    fc.bigInt(0n, 3n),
    fc.bigInt(0n, 10n ** 7n),
    fc.bigInt(MAX_MICROHOURS - 9n, MAX_MICROHOURS),
  );
  return fc.array(microhours, { minLength: 1, maxLength: 30 }).map(sumsOf);
}

/**
 * Sums whose deviation is exactly on a tie between two microhours, or as little as possible below it, or a little
 * above. A deviation of c / 2 microhours means n * sumOfSquares - sum^2 = (c * n / 2)^2, which is divisible by n if n
 * is divisible by 4. With a sum of 0 modulo n, the difference can be the tie itself. With a sum of 1 modulo n, it is -1
 * modulo n: 1 below the tie, or n - 1 above.
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
