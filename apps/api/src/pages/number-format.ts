import type { TimeUnit } from '@takt/texts';
import type { Wording } from './words.js';

/** Writes a number as HTML. */
export type FormatNumber = (value: number) => string;

const NARROW_SPACE = '&#8239;';

/** Digits in groups of three, as usual in the language. A narrow space separates them where a space is usual. */
function grouped(digits: string, { groupSeparator }: Wording): string {
  if (digits.length <= 3) return digits;
  const separator = groupSeparator.trim() === '' ? NARROW_SPACE : groupSeparator;
  return digits.replace(/\B(?=(?:\d{3})+$)/g, separator);
}

/** Returns a function that writes whole numbers of any size. */
export function countFormat(wording: Wording): FormatNumber {
  return (value) => (value < 0 ? '&minus;' : '') + grouped(String(Math.abs(value)), wording);
}

/**
 * Returns a function that writes a number with all its decimals. Intl.NumberFormat could do this too, but takes ten
 * times as long.
 */
export function exactFormat({ decimalSeparator }: Wording): FormatNumber {
  return decimalSeparator === '.' ? String : (value) => String(value).replace('.', decimalSeparator);
}

/**
 * Returns a function that writes numbers with the same number of decimals, so that the numbers in a column can be
 * compared. Only zero itself is written as zero. The text is built from a whole number, which takes a third of the time
 * of toFixed.
 */
function decimalFormat(wording: Wording, decimals: number): FormatNumber {
  const { decimalSeparator } = wording;
  const scale = 10 ** decimals;
  const tiny = `&lt;${(1 / scale).toFixed(decimals).replace('.', decimalSeparator)}`;
  return (value) => {
    if (value > 0 && value * scale < 0.5) return tiny;
    const scaled = Math.round(Math.abs(value) * scale);
    const whole = grouped(String(Math.floor(scaled / scale)), wording);
    const rest = decimals === 0 ? '' : decimalSeparator + String(scaled % scale).padStart(decimals, '0');
    return (value < 0 ? '&minus;' : '') + whole + rest;
  };
}

/** Returns a function that writes sums of times in hours, with two decimals. */
export const sumFormat = (wording: Wording): FormatNumber => decimalFormat(wording, 2);

/** Returns a function that writes hours as hours and minutes, and as seconds if there are `more` digits. */
function clockFormat(wording: Wording, more: number): FormatNumber {
  const tiny = more === 0 ? '&lt;0:01' : '&lt;0:00:01';
  const perHour = more === 0 ? 60 : 3_600;
  const two = (value: number) => String(value).padStart(2, '0');
  return (value) => {
    if (value > 0 && value * perHour < 0.5) return tiny;
    const units = Math.round(Math.abs(value) * perHour);
    const hours = grouped(String(Math.floor(units / perHour)), wording);
    const rest = units % perHour;
    const text = more === 0 ? two(rest) : `${two(Math.floor(rest / 60))}:${two(rest % 60)}`;
    return `${value < 0 ? '&minus;' : ''}${hours}:${text}`;
  };
}

/** For each unit: how a time in hours is written, with `more` digits than usual. */
const FORMATS: Readonly<Record<TimeUnit, (wording: Wording, more: number) => FormatNumber>> = {
  h: (wording, more) => decimalFormat(wording, 2 + more),
  min: (wording, more) => {
    const format = decimalFormat(wording, 1 + more);
    return (value) => format(value * 60);
  },
  'h:mm': clockFormat,
};

/** The largest number of digits that are added to tell times apart. */
const MOST_MORE = 2;
/** Times that differ by less than this share may look the same. */
const SAME = 0.01;

/** Times that are shown beside each other, in hours; null for a missing time. */
export type TimesBeside = readonly (number | null)[];

/**
 * Returns a function that writes the time of an operation, given in hours, in the unit of the page. It writes as many
 * digits as are needed to tell apart different times beside each other: 0.05 h and 0.06 h, but 0.051 h and 0.054 h.
 * @param unequal times that must look different even if they differ by less than a hundredth
 */
export function timeFormat(
  wording: Wording,
  beside: Iterable<TimesBeside> = [],
  unequal: readonly TimesBeside[] = [],
): FormatNumber {
  const rows = [...beside];
  const formatOf = FORMATS[wording.timeUnit];
  let format = formatOf(wording, 0);
  const isTooShort = () =>
    rows.some((times) => looksSame(times, format, SAME)) ||
    unequal.some((times) => looksSame(times, format, 0));
  for (let more = 1; more <= MOST_MORE && isTooShort(); more += 1) format = formatOf(wording, more);
  return format;
}

/** True if two times that differ by at least this share would be written in the same way. */
function looksSame(times: TimesBeside, format: FormatNumber, same: number): boolean {
  return times.some((one, index) =>
    times
      .slice(index + 1)
      .some(
        (other) =>
          one !== null &&
          other !== null &&
          Math.abs(one - other) >= same * Math.max(one, other) &&
          one !== other &&
          format(one) === format(other),
      ),
  );
}

/** A time together with its unit. In h:mm, the form shows the unit. */
export function withUnit(time: string, { timeUnit, texts }: Wording): string {
  if (timeUnit === 'h:mm') return time;
  return `${time}&nbsp;${timeUnit === 'h' ? texts.hourSymbol : timeUnit}`;
}

/** Makes a format write plain text without markup. This is for drawings, which escape texts themselves. */
export function asText(format: FormatNumber): FormatNumber {
  return (value) =>
    format(value).replaceAll(NARROW_SPACE, '\u202F').replaceAll('&minus;', '\u2212').replaceAll('&lt;', '<');
}

/** Formats times as plain text. */
export const plainFormat = (wording: Wording): FormatNumber => asText(timeFormat(wording));

/** Adds a sign also to positive numbers, so that figures over and under plan differ even without colour. */
export function signedText(format: FormatNumber): FormatNumber {
  return (value) => {
    const text = format(Math.abs(value));
    return value > 0 ? `+${text}` : value < 0 ? `&minus;${text}` : text;
  };
}

/**
 * Formats whole percents with a sign. A small value gets as many decimals as are needed to distinguish it from zero.
 */
export function percentText(wording: Wording): FormatNumber {
  const count = countFormat(wording);
  return signedText((value) => {
    const percent = Math.round(value);
    const isHidden = percent === 0 && value !== 0;
    return `${isHidden ? smallPercent(value).replace('.', wording.decimalSeparator) : count(percent)}&nbsp;%`;
  });
}

/** Formats a percentage that would be rounded to zero. Percentages are served with two decimals. */
function smallPercent(value: number): string {
  return value.toFixed(value < 0.05 ? 2 : 1);
}
