export interface NumberStyle {
  readonly decimalSeparator: '.' | ',';
  /** The separator between groups of three digits. Every language may also use spaces. */
  readonly groupSeparator: '.' | ',' | ' ';
}

/** The meaning of a typed number, as decimals with a point. A text that can mean two numbers has two readings. */
export type TypedNumber =
  | { readonly value: string }
  | { readonly readings: readonly [string, string] }
  | undefined;

/** Spaces between groups of digits: pages write the narrow no-break space. */
const SPACES = ' \u00a0\u2009\u202f';
const SPACE = new RegExp(`[${SPACES}]`, 'g');
const SPACED = new RegExp(`^[1-9]\\d{0,2}(?:[${SPACES}]\\d{3})+(?=[.,]|$)`);

const PLAIN = /^\d+$/;
const DECIMAL = /^\d+[.,]\d+$/;
/** Groups of three digits behind one kind of separator, and perhaps decimals behind the other. */
const GROUPED = /^[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+(?:,\d+)?)$/;

/**
 * Reads a number of 0 or more as people type it. The way of the language comes first: in English 1,000 is a thousand, in
 * German one. A text in another way is understood if it has only one meaning, such as 2.5 in German. Returns undefined
 * for a text that is no such number.
 */
export function readTypedNumber(typed: string, style: NumberStyle): TypedNumber {
  const text = typed.trim().replace(SPACED, (digits) => digits.replace(SPACE, ''));
  if (PLAIN.test(text)) return { value: text };
  const decimal = DECIMAL.test(text) ? text.replace(',', '.') : undefined;
  const grouped = GROUPED.test(text) ? withoutGroups(text) : undefined;
  if (decimal === undefined || grouped === undefined) {
    const value = decimal ?? grouped;
    return value === undefined ? undefined : { value };
  }
  if (text.includes(style.decimalSeparator)) return { value: decimal };
  return text.includes(style.groupSeparator) ? { value: grouped } : { readings: [grouped, decimal] };
}

/** Removes the first kind of separator, and makes the second a point. */
function withoutGroups(text: string): string {
  const isComma = text.search(',') >= 0 && (text.search(/\./) < 0 || text.search(',') < text.search(/\./));
  return isComma ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.');
}

/** Matches a number that may have separators, in a text that has other words too. */
export const TYPED_NUMBER = new RegExp(`\\d+(?:[.,${SPACES.slice(1)}]\\d+)+`, 'y');
