/** An exact decimal number: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Parses a number as a client writes it. The number has no type suffix such as m. */
export function decimalOf(written: string): Decimal {
  const [, digits = '', exponent = '0'] = /^(.*?)(?:e(.*))?$/i.exec(written) ?? [];
  const [whole = '0', fraction = ''] = digits.split('.');
  const units = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * power(-scale), scale: 0 };
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Returns the units of both numbers at their common scale. */
function aligned(left: Decimal, right: Decimal) {
  const scale = Math.max(left.scale, right.scale);
  const unitsAt = ({ units, scale: own }: Decimal) => units * power(scale - own);
  return { scale, left: unitsAt(left), right: unitsAt(right) };
}

export function compareDecimals(one: Decimal, other: Decimal): number {
  const { left, right } = aligned(one, other);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const QUOTIENT_SCALE = 20;

/** Returns null for a division by zero. */
export function calculate(
  operator: 'add' | 'sub' | 'mul' | 'div' | 'mod',
  one: Decimal,
  other: Decimal,
): Decimal | null {
  const { scale, left, right } = aligned(one, other);
  switch (operator) {
    case 'add':
      return { units: left + right, scale };
    case 'sub':
      return { units: left - right, scale };
    case 'mul':
      return { units: one.units * other.units, scale: one.scale + other.scale };
    case 'div':
      // The division of BigInt truncates towards zero, as the specification requires.
      return right === 0n ? null : { units: (left * power(QUOTIENT_SCALE)) / right, scale: QUOTIENT_SCALE };
    case 'mod':
      return right === 0n ? null : { units: left % right, scale };
  }
}

export const negated = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });

/** Rounds to a whole number: up, down, or to the nearest one with a half away from zero. */
export function wholeOf(how: 'round' | 'floor' | 'ceiling', { units, scale }: Decimal): Decimal {
  const one = power(scale);
  const below = units / one - (units % one < 0n ? 1n : 0n);
  const rest = units - below * one;
  switch (how) {
    case 'floor':
      return { units: below, scale: 0 };
    case 'ceiling':
      return { units: rest === 0n ? below : below + 1n, scale: 0 };
    case 'round': {
      const isUp = units < 0n ? rest * 2n > one : rest * 2n >= one;
      return { units: isUp ? below + 1n : below, scale: 0 };
    }
  }
}

/** Returns the whole part of a number, truncated towards zero. */
export function truncated({ units, scale }: Decimal): bigint {
  return units / power(scale);
}
