import { words } from '../event-problem.js';

/** The longest duration in hours. */
const MAX_HOURS = 1_000_000;
/**
 * Maximum number of characters of a duration. It is long enough for all common decimal types (28 to 38 digits) and
 * short enough to be read quickly.
 */
const MAX_TEXT_LENGTH = 40;
const DECIMAL_TEXT = '^(?:0*[0-9]{1,6}(?:\\.[0-9]+)?|0*1000000(?:\\.0+)?|-0+(?:\\.0+)?)$';
const decimalText = new RegExp(DECIMAL_TEXT, 'u');

const FRACTION_DIGITS = 6;
const MILLIONTHS_PER_HOUR = 1_000_000;

/**
 * Reads hours from a JSON number or a decimal string, and returns decimal text with exactly six decimals, rounded half
 * up. A number is rounded by its shortest decimal text, which is the text that JSON shows. So 1.0000005 is rounded up
 * although its binary value is slightly smaller. Minus zero is read as zero. Returns undefined for any other value, and
 * for hours that are outside 0 to 1,000,000 before rounding.
 */
export function readHours(value: unknown): string | undefined {
  if (typeof value === 'number') return readNumber(value);
  if (typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && decimalText.test(value)) {
    return roundToMillionths(value);
  }
  return undefined;
}

function readNumber(value: number): string | undefined {
  if (!(value >= 0 && value <= MAX_HOURS)) return undefined;
  // String() writes numbers below a millionth with an exponent, which roundToMillionths cannot read. Comparing the
  // number with 5e-7 gives the same result as rounding its text, because numbers and their shortest texts have the same
  // order, and the shortest text of 5e-7 is exact.
  if (value < 1e-6) {
    return value >= 5e-7 ? '0.000001' : '0.000000';
  }
  return roundToMillionths(String(value));
}

/**
 * Rounds plain decimal text. The caller has checked that the text is from 0 to MAX_HOURS, so its millionths are a safe
 * integer.
 */
function roundToMillionths(text: string): string {
  const point = text.indexOf('.');
  const whole = Math.abs(Number(point < 0 ? text : text.slice(0, point)));
  const fraction = point < 0 ? '' : text.slice(point + 1);
  const kept = Number(fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0'));
  const roundedUp = fraction.charAt(FRACTION_DIGITS) >= '5' ? 1 : 0;
  const millionths = String(whole * MILLIONTHS_PER_HOUR + kept + roundedUp).padStart(
    FRACTION_DIGITS + 1,
    '0',
  );
  return `${millionths.slice(0, -FRACTION_DIGITS)}.${millionths.slice(-FRACTION_DIGITS)}`;
}

/**
 * The kind of a duration in hours. The normalised form is decimal text with six decimals, so the smallest step is 3.6
 * ms.
 */
export const hoursKind = {
  name: 'hours',
  rule: words('must be hours as a number or plain decimal string from 0 to {0}', MAX_HOURS),
  jsonSchema: {
    anyOf: [
      { type: 'number', minimum: 0, maximum: MAX_HOURS },
      { type: 'string', maxLength: MAX_TEXT_LENGTH, pattern: DECIMAL_TEXT },
    ],
  },
  read: readHours,
  ruleOf: (value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT_LENGTH && decimalText.test(value)
      ? words('must be hours of at most {0} characters', MAX_TEXT_LENGTH)
      : undefined,
};
