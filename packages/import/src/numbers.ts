import { Decimal } from 'decimal.js';
import type { Unit } from './mapping.js';

// 40 digits keep sums of durations exact, and quotients exact far beyond the six decimals of an hour.
const Exact = Decimal.clone({ precision: 60 });

export type DecimalSign = '.' | ',';

/** A number whose thousands are not separated, or separated correctly by blanks, apostrophes or the other sign. */
const PLAIN = {
  '.': /^[+-]?(?:\d+|[1-9]\d{0,2}(?:[,' \u00a0\u202f’]\d{3})+)(?:\.\d*)?-?$|^[+-]?\.\d+$/,
  ',': /^[+-]?(?:\d+|[1-9]\d{0,2}(?:[.' \u00a0\u202f’]\d{3})+)(?:,\d*)?-?$|^[+-]?,\d+$/,
};
const MAX_LENGTH = 40;

/** Reads a number with the decimal sign; undefined if it is none. SAP writes the minus at the end. */
export function readNumber(text: string, sign: DecimalSign): Decimal | undefined {
  if (text.length > MAX_LENGTH || !PLAIN[sign].test(text) || (text.endsWith('-') && /^[+-]/.test(text))) {
    return undefined;
  }
  const isNegative = text.startsWith('-') || text.endsWith('-');
  const digits = text.replaceAll(sign === '.' ? /[^\d.]/g : /[^\d,]/g, '').replace(',', '.');
  const value = new Exact(digits === '' ? Number.NaN : digits);
  if (value.isNaN()) return undefined;
  return isNegative ? value.negated() : value;
}

/**
 * Finds the decimal sign of numbers; undefined if they show none. Numbers such as 1,234 show none: it may be a thousand and
 * more, or one and a bit. Returns 'both' if some numbers have one sign and some the other.
 */
export function recogniseDecimal(texts: Iterable<string>): DecimalSign | 'both' | undefined {
  const found = new Set<DecimalSign>();
  for (const text of texts) {
    const isPoint = readNumber(text, '.') !== undefined;
    const isComma = readNumber(text, ',') !== undefined;
    if (isPoint !== isComma) found.add(isPoint ? '.' : ',');
  }
  return found.size > 1 ? 'both' : [...found][0];
}

/** True if the value of a number depends on the decimal sign. */
export function needsSign(text: string): boolean {
  return /[.,]/.test(text);
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600, d: 86_400 };
const CLOCKS: Readonly<Record<string, RegExp>> = {
  'hh:mm': /^(-?)(?<h>\d{1,6}):(?<min>[0-5]\d)(?::(?<s>[0-5]\d(?:[.,]\d{1,6})?))?$/,
  'mm:ss': /^(-?)(?<min>\d{1,8}):(?<s>[0-5]\d(?:[.,]\d{1,6})?)$/,
  'hh:mm:ss': /^(-?)(?<h>\d{1,6}):(?<min>[0-5]\d):(?<s>[0-5]\d(?:[.,]\d{1,6})?)$/,
  'd.hh:mm:ss':
    /^(-?)(?:(?<d>\d{1,5})[. ])?(?<h>[01]?\d|2[0-3]):(?<min>[0-5]\d):(?<s>[0-5]\d(?:[.,]\d{1,7})?)$/,
  iso8601:
    /^(-?)P(?=\d|T\d)(?:(?<d>\d+(?:[.,]\d+)?)D)?(?:T(?=\d)(?:(?<h>\d+(?:[.,]\d+)?)H)?(?:(?<min>\d+(?:[.,]\d+)?)M)?(?:(?<s>\d+(?:[.,]\d+)?)S)?)?$/,
};

/** Returns true if a unit is that of a number, so that the decimal sign matters. */
export const isNumeric = (unit: Unit): boolean => Object.hasOwn(SECONDS, unit);

/** Reads a duration in seconds; undefined if the text has another form. */
export function readDuration(text: string, unit: Unit, sign: DecimalSign): Decimal | undefined {
  const factor = SECONDS[unit];
  if (factor !== undefined) return readNumber(text, sign)?.times(factor);
  const match = text.length > MAX_LENGTH ? null : CLOCKS[unit]?.exec(text);
  if (match?.groups === undefined) return undefined;
  const parts = Object.entries(match.groups).map(([name, digits]) =>
    new Exact((digits ?? '0').replace(',', '.')).times(SECONDS[name] ?? 0),
  );
  const sum = parts.reduce((total, part) => total.plus(part), new Exact(0));
  return match[1] === '-' ? sum.negated() : sum;
}
