export type Separator = '.' | ',';

const MICROHOURS_PER_HUNDREDTH = 10_000n;
const MINUS = '\u2212';

/** Formats hours with all their decimals. */
export function exactText(microhours: bigint, separator: Separator): string {
  const digits = magnitude(microhours).toString().padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0+$/, '');
  const sign = microhours < 0n ? '-' : '';
  return sign + digits.slice(0, -6) + (decimals === '' ? '' : separator + decimals);
}

/** Formats hours with two decimals, rounded half away from zero. Never shows zero for another value. */
export function tableText(microhours: bigint, separator: Separator): string {
  if (microhours > 0n && 2n * microhours < MICROHOURS_PER_HUNDREDTH) return `<0${separator}01`;
  const hundredths = divideHalfUp(magnitude(microhours), MICROHOURS_PER_HUNDREDTH)
    .toString()
    .padStart(3, '0');
  const sign = microhours < 0n ? MINUS : '';
  return sign + grouped(hundredths.slice(0, -2)) + separator + hundredths.slice(-2);
}

/** Formats a number with its sign. `write` formats the absolute value. */
export function signedText(microhours: bigint, write: (microhours: bigint) => string): string {
  const sign = microhours > 0n ? '+' : microhours < 0n ? MINUS : '';
  return sign + write(magnitude(microhours));
}

/**
 * Formats the deviation of an average from its plan as a whole percentage. A deviation below one percent gets one
 * decimal, or two decimals if the first would be 0.
 */
export function percentText(difference: bigint, planned: bigint, separator: Separator): string {
  const hundredths = divideHalfUp(magnitude(difference) * 10_000n, planned);
  const places = hundredths === 0n || hundredths >= 50n ? 0 : hundredths >= 5n ? 1 : 2;
  const digits = divideHalfUp(hundredths, 10n ** BigInt(2 - places)).toString();
  const shown = places === 0 ? grouped(digits) : `0${separator}${digits.padStart(places, '0')}`;
  return `${signedText(hundredths === 0n ? 0n : difference, () => shown)}\u00A0%`;
}

/** Groups the digits of a number in threes if the number is at least 10,000. */
function grouped(digits: string): string {
  return digits.length < 5 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, '\u202F');
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
