import { type Language, languageTag } from './languages.js';

const NUMBERS = new Map<string, Intl.NumberFormat>();

/** Writes a number as usual in the language: 12,345.6 or 12.345,6. It has at most `decimals` decimals, by default 1. */
export function formatNumber(language: Language, value: number, decimals = 1): string {
  const key = `${language} ${decimals}`;
  let format = NUMBERS.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(languageTag(language), { maximumFractionDigits: decimals });
    NUMBERS.set(key, format);
  }
  return format.format(value);
}

const UNITS = [
  { seconds: 86_400, symbol: 'd' },
  { seconds: 3_600, symbol: 'h' },
  { seconds: 60, symbol: 'min' },
] as const;

/** Writes a duration: 0.25 s, 2.5 s, 12 s, 3 min, 5 h, 2 d. The symbols of the units are the same in every language. */
export function formatSpan(language: Language, seconds: number): string {
  const unit = UNITS.find((one) => seconds >= one.seconds);
  if (unit !== undefined) {
    return `${formatNumber(language, Math.floor(seconds / unit.seconds))} ${unit.symbol}`;
  }
  return `${formatNumber(language, seconds < 10 ? seconds : Math.round(seconds), seconds < 1 ? 2 : 1)} s`;
}

/** Returns the unit in which a duration is written, in seconds. */
export function unitOfSpan(seconds: number): number {
  return UNITS.find((unit) => seconds >= unit.seconds)?.seconds ?? 1;
}

export function fillText(text: string, values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? '');
}
