import type { ServedTimes } from './served-figures.js';
import { NONE } from './served-figures.js';

/**
 * A third implementation of the figures, by the definition in rational arithmetic on whole microhours: it neither
 * divides nor takes a root, but searches the largest k whose lower half-step k - 1/2 is not above the true value.
 * Takes times with 6 decimals.
 */
export function describeRationally(times: readonly string[]): ServedTimes {
  if (times.length === 0) return NONE;
  const n = BigInt(times.length);
  const values = times.map((time) => BigInt(time.replace('.', '')));
  const sum = values.reduce((left, right) => left + right, 0n);
  const squares = values.reduce((total, x) => total + (n * x - sum) ** 2n, 0n);
  const sorted = values.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return [
    toHours(roundHalfUp((twice) => twice * n <= 2n * sum)),
    toHours(sorted.at(0) ?? 0n),
    toHours(sorted.at(-1) ?? 0n),
    // deviation^2 = squares / n^3
    toHours(roundHalfUp((twice) => twice ** 2n * n ** 3n <= 4n * squares)),
  ];
}

/** The value rounded half up, where `isAtMost` tells whether half of its argument is at most the value. */
export function roundHalfUp(isAtMost: (twice: bigint) => boolean): bigint {
  let low = 0n;
  let high = 1n << 60n;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (isAtMost(2n * middle - 1n)) {
      low = middle;
    } else {
      high = middle - 1n;
    }
  }
  return low;
}

/** Microhours as hours with 6 decimals. */
export function toHours(microhours: bigint): string {
  const digits = microhours.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
