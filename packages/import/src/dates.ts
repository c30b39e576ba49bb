import { DateTime, IANAZone } from 'luxon';

/** An instant; or why a local time is none. */
export type ReadTime = { readonly ms: number; readonly isDoubled: boolean } | 'no-date' | 'missing-hour';

const ISO = 'ISO 8601';
const DATES = [
  'd.M.yyyy',
  'd/M/yyyy',
  'M/d/yyyy',
  'd-M-yyyy',
  'd-LLL-yyyy',
  'yyyy/M/d',
  'yyyyMMdd',
  'd.M.yy',
  'd/M/yy',
  'M/d/yy',
];
const CLOCKS = [' H:mm', ' H:mm:ss', ' h:mm a', ' h:mm:ss a', ', H:mm', ', H:mm:ss', ' HHmmss', ''];
/** The formats that are recognised, in Luxon's tokens. A date without a time of day is its midnight. */
const KNOWN = [ISO, ...CLOCKS.flatMap((clock) => DATES.map((date) => `${date}${clock}`))];

/** Share of the texts that a format must fit. Files have faulty rows, and a file of corrected rows may have many. */
const FITTING_SHARE = 0.5;

/**
 * Returns the formats that fit the most texts, and at least half of them. Of several with the same meaning for these texts only the first
 * is returned, so more than one means that the texts are ambiguous, as is 03/04/2026.
 */
export function recogniseFormats(texts: readonly string[]): readonly string[] {
  const tried = KNOWN.map((format) => {
    const read = localReader(format);
    const times = texts.map(read);
    return { format, meaning: times.join(), fits: times.filter((ms) => !Number.isNaN(ms)).length };
  });
  const most = Math.max(...tried.map(({ fits }) => fits));
  if (most < texts.length * FITTING_SHARE) return [];
  const found = new Map(
    tried
      .filter(({ fits }) => fits === most)
      .reverse()
      .map(({ format, meaning }) => [meaning, format]),
  );
  return [...found.values()].reverse();
}

/** Returns true if a date and time can be read in this format. */
export const isFormat = (format: string): boolean =>
  format === ISO ||
  (/y/.test(format) &&
    /M|L/.test(format) &&
    /d/.test(format) &&
    !Number.isNaN(localReader(format)(DateTime.utc().toFormat(format))));

export const isZone = (zone: string): boolean => IANAZone.isValidZone(zone);

/** Reads a text as if its local time were in a zone, as ms since 1970. */
function localReader(format: string, zone = 'utc'): (text: string) => number {
  if (format === ISO) {
    return (text) => DateTime.fromISO(text.replace(' ', 'T').replace(' ', ''), { zone }).toMillis();
  }
  const parser = DateTime.buildFormatParser(format, { locale: 'en-US' });
  return (text) => DateTime.fromFormatParser(text, parser, { zone, locale: 'en-US' }).toMillis();
}

const MAY_HAVE_OFFSET = /[A-Za-z/_]$|[+-]\d\d(?::?\d\d)?$/;
/** Systems write the year 1 where they have no date. */
const FIRST_MS = Date.UTC(1900, 0, 1);
const END_MS = Date.UTC(9999, 11, 31);

/**
 * Returns a function that reads dates and times of a format as instants. Local times are in the zone. Of the hour that occurs
 * twice in autumn, the first is taken; a time in the hour that is left out in spring is none.
 */
export function dateReader(format: string, zone: string): (text: string) => ReadTime {
  const [read, readElsewhere] = [localReader(format), localReader(format, 'UTC+1')];
  const offsetAt = offsetsOf(zone);
  return (text) => {
    const local = read(text);
    if (!(local >= FIRST_MS && local < END_MS)) return 'no-date';
    // A text with an offset means the same instant in every zone.
    if (MAY_HAVE_OFFSET.test(text) && readElsewhere(text) === local) return { ms: local, isDoubled: false };
    // Luxon would move a time in the missing hour without a word.
    const offsets = new Set([offsetAt(local - MS_PER_DAY), offsetAt(local + MS_PER_DAY)]);
    const found = [...offsets].map((offset) => local - offset).filter((ms) => ms + offsetAt(ms) === local);
    return found.length === 0 ? 'missing-hour' : { ms: Math.min(...found), isDoubled: found.length > 1 };
  };
}

const MS_PER_MINUTE = 60_000;
/** Zones change their offsets at full quarters of an hour. */
const MS_PER_QUARTER = 900_000;
const MS_PER_DAY = 86_400_000;

/** Returns the offset of a zone in ms at an instant. Remembers it for each quarter of an hour, because Luxon needs 100 µs to find it. */
function offsetsOf(zone: string): (ms: number) => number {
  const known = new Map<number, number>();
  const zoneRules = IANAZone.create(zone);
  return (ms) => {
    const quarter = Math.floor(ms / MS_PER_QUARTER);
    const offset = known.get(quarter) ?? zoneRules.offset(quarter * MS_PER_QUARTER) * MS_PER_MINUTE;
    if (known.size > 100_000) known.clear();
    known.set(quarter, offset);
    return offset;
  };
}
