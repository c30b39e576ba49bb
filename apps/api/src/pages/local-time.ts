import type { CsvCell } from '@takt/texts';
import { type Language, languageTag } from '@takt/texts';
import type { WritingContext } from '../representations/writer.js';

type OfPage = Pick<WritingContext, 'language' | 'company'>;

/** The time zone of the company; UTC if the company is unknown. */
export const timeZoneOf = ({ company }: Pick<WritingContext, 'company'>): string =>
  company?.timeZone ?? 'UTC';

const styles = {
  /** Names the time zone too, because its offset may be different in summer. */
  exact: { dateStyle: 'medium', timeStyle: 'long' },
  /** In Swedish, this style gives the format `yyyy-MM-dd HH:mm:ss`. */
  second: { dateStyle: 'short', timeStyle: 'medium' },
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  month: { year: 'numeric', month: '2-digit' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are cached, because creating one takes as long as writing the rows of a page. */
function formatOf(language: Language, style: keyof typeof styles, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${style} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(languageTag(language), { ...styles[style], timeZone });
  formats.set(key, made);
  return made;
}

/** Returns a function that formats an instant to the second, in the time zone of the page. */
export function exactInstant(page: OfPage): (instant: Date) => string {
  const format = formatOf(page.language, 'exact', timeZoneOf(page));
  return (instant) => format.format(instant);
}

/**
 * Returns a function that formats an instant as `yyyy-MM-dd HH:mm:ss` in the time zone of the page. It returns other
 * values unchanged.
 */
export function localInstant(page: OfPage): (value: CsvCell) => CsvCell {
  const format = formatOf('swe', 'second', timeZoneOf(page));
  return (value) => {
    const instant = Date.parse(String(value));
    if (value === null || Number.isNaN(instant)) return value;
    // Before the year 1000, the format has fewer digits.
    return format.format(instant).replace(/^\d+/, (year) => year.padStart(4, '0'));
  };
}

export function instantInZone(page: OfPage, instant: Date): string {
  const timeZone = timeZoneOf(page);
  return `${formatOf(page.language, 'minute', timeZone).format(instant)} ${timeZone}`;
}

/** The month in which an instant lies in the time zone of the page. Months are counted from the year 0. */
export function monthNumberAt(page: OfPage, instant: Date): number {
  const parts = formatOf('eng', 'month', timeZoneOf(page)).formatToParts(instant);
  const read = (wanted: 'year' | 'month') => Number(parts.find(({ type }) => type === wanted)?.value);
  return 12 * read('year') + read('month') - 1;
}
