/** The figures of some times, all in whole microhours. */
export interface ExactFigures {
  readonly count: bigint;
  readonly sum: bigint;
  readonly squares: bigint;
  readonly shortest: bigint;
  readonly longest: bigint;
  readonly average: bigint;
  readonly deviation: bigint;
}

/**
 * Computes figures by their definition, in integers of any size. It is the only recomputation of figures in the tests.
 * It neither divides nor takes a root, so it shares no arithmetic with PostgreSQL. Returns undefined if there is no
 * time.
 */
export function exactFigures(times: readonly bigint[]): ExactFigures | undefined {
  const [first] = times;
  if (first === undefined) return undefined;
  const count = BigInt(times.length);
  const sum = times.reduce((total, time) => total + time, 0n);
  const distances = times.reduce((total, time) => total + (count * time - sum) ** 2n, 0n);
  return {
    count,
    sum,
    squares: times.reduce((total, time) => total + time * time, 0n),
    shortest: times.reduce((one, other) => (other < one ? other : one), first),
    longest: times.reduce((one, other) => (other > one ? other : one), first),
    average: roundHalfUp((twice) => twice * count <= 2n * sum),
    // By definition, deviation^2 = distances / count^3.
    deviation: roundHalfUp((twice) => twice ** 2n * count ** 3n <= 4n * distances),
  };
}

/**
 * Returns a value rounded half up. The value itself is not passed: `isAtMost` must tell if half of its argument is at
 * most the value.
 */
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

/** Returns microhours, which must not be negative, as hours with 6 decimals. */
export function toHours(microhours: bigint): string {
  const digits = microhours.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Converts hours, as decimal text with at most 6 decimals, to microhours. Null stays null. */
export function toMicrohours(hours: string): bigint;
export function toMicrohours(hours: string | null | undefined): bigint | null;
export function toMicrohours(hours: string | null | undefined): bigint | null {
  if (hours == null) return null;
  const [whole = '', decimals = ''] = hours.split('.');
  return BigInt(whole + decimals.padEnd(6, '0'));
}
