import { words } from '../event-problem.js';

// Instants follow RFC 3339. The pattern itself has the valid days of each month of the Gregorian calendar, so that the
// JSON Schema accepts the same dates.
const LONG_MONTH = '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])';
const SHORT_MONTH = '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)';
const FEBRUARY = '02-(?:0[1-9]|1[0-9]|2[0-8])';
const LEAP_DAY = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';
const DATE = `(?!0000)(?:[0-9]{4}-(?:${LONG_MONTH}|${SHORT_MONTH}|${FEBRUARY})|${LEAP_DAY})`;
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)';
const OFFSET = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';
const INSTANT_TEXT = `^${DATE}[Tt]${CLOCK}(?:\\.[0-9]+)?${OFFSET}$`;
const instantText = new RegExp(INSTANT_TEXT, 'u');

const FRACTION_DIGITS = 6;
const MINUTES_PER_DAY = 1_440;
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
/**
 * The first and the last second that lie in the years 0001 to 9999 in every time zone, in UTC. Months are those of the
 * company's time zone, and every zone is less than 16 hours away from UTC, also before zones were introduced.
 */
const FIRST = '0001-01-01T16:00:00';
const LAST = '9999-12-31T07:59:59';

/**
 * Reads an RFC 3339 instant with offset and returns it in UTC as `YYYY-MM-DDTHH:MM:SS.ffffffZ`, truncated to
 * microseconds. The leap second 23:59:60 UTC at the end of a month becomes the first second of the next day, as in
 * PostgreSQL. Returns undefined for any other value, for an impossible day or time, and for an instant outside of the
 * years 0001 to 9999 in any time zone.
 */
export function readInstant(value: unknown): string | undefined {
  if (typeof value !== 'string' || !instantText.test(value)) return undefined;
  const isUtc = value.endsWith('Z') || value.endsWith('z');
  const offsetMinutes = isUtc ? 0 : readOffset(value.slice(-6));
  const fraction = value.slice(20, isUtc ? -1 : -6);
  const dateTime = toUtc(value.slice(0, 10), value.slice(11, 19), offsetMinutes);
  // The texts have equal lengths, so they compare as the instants do. A year beyond four digits begins with a sign.
  if (dateTime === undefined || dateTime < FIRST || dateTime > LAST) return undefined;
  return `${dateTime}.${fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0')}Z`;
}

/** Returns the minutes of an offset such as `+hh:mm` or `-hh:mm`. */
function readOffset(text: string): number {
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4));
  return text.startsWith('-') ? -minutes : minutes;
}

function toUtc(date: string, clock: string, offsetMinutes: number): string | undefined {
  const isLeapSecond = clock.endsWith(':60');
  const minute = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)) - offsetMinutes;
  // Most instants have the same date in UTC as in their own offset. They need no Date object, which would take three
  // quarters of the time.
  if (!isLeapSecond && minute >= 0 && minute < MINUTES_PER_DAY) {
    return `${date}T${twoDigits(Math.trunc(minute / 60))}:${twoDigits(minute % 60)}${clock.slice(5)}`;
  }
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  const utcMs = midnightMs + minute * MS_PER_MINUTE + Number(clock.slice(6)) * MS_PER_SECOND;
  if (isLeapSecond && !startsMonth(utcMs)) return undefined;
  return new Date(utcMs).toISOString().slice(0, 19);
}

function startsMonth(utcMs: number): boolean {
  return utcMs % MS_PER_DAY === 0 && new Date(utcMs).getUTCDate() === 1;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

const MUST_BE_INSTANT = words(
  'must be an RFC 3339 date and time with offset, such as {0}',
  '2024-05-31T16:20:00+02:00',
);
const MUST_BE_IN_YEARS = words('must be in the years {0} to {1} in every time zone', '0001', '9999');

/** Returns the rule about years for a refused value that is an instant except for its year. */
function brokenYears(value: unknown): typeof MUST_BE_IN_YEARS | undefined {
  const isInstant = typeof value === 'string' && instantText.test(value);
  // A leap second may also be refused because of its place in the month.
  return isInstant && !value.includes(':60') ? MUST_BE_IN_YEARS : undefined;
}

/** The kind of a point in time. The normalised form is in UTC with microseconds. */
export const instantKind = {
  name: 'instant',
  rule: MUST_BE_INSTANT,
  jsonSchema: { type: 'string', format: 'date-time', pattern: INSTANT_TEXT },
  read: readInstant,
  ruleOf: brokenYears,
};

let maxAheadMs = MS_PER_DAY;

/**
 * Sets how far the time of a change may lie ahead of the clock, in ms. This is a setting of the whole site, so each
 * process sets it once at its start, instead of passing it through every reader of events.
 */
export function setMaxAhead(ms: number): void {
  maxAheadMs = ms;
}

/** The same as readInstant, but returns undefined for an instant that is too far ahead of the clock. */
function readPastInstant(value: unknown): string | undefined {
  const instant = readInstant(value);
  if (instant === undefined) return undefined;
  return instant.slice(0, 19) > latestSecond() ? undefined : instant;
}

let latest = { second: Number.NaN, text: '' };

/** The last second that an instant may have. Its text is made once a second: it would take a sixth of reading an event. */
function latestSecond(): string {
  const second = Math.floor((Date.now() + maxAheadMs) / MS_PER_SECOND);
  if (second !== latest.second) {
    latest = { second, text: new Date(second * MS_PER_SECOND).toISOString().slice(0, 19) };
  }
  return latest.text;
}

/**
 * The kind of the time at which something changed. It may be ahead of the clock by the difference between two clocks,
 * but not by more. Of two changes the newest wins, so one of the year 2999 would make Takt ignore all others.
 */
export const pastInstantKind = {
  name: 'pastInstant',
  rule: MUST_BE_INSTANT,
  jsonSchema: instantKind.jsonSchema,
  read: readPastInstant,
  ruleOf: (value: unknown) =>
    readInstant(value) === undefined
      ? brokenYears(value)
      : words('must be at most {0} hours ahead of the clock', maxAheadMs / (60 * MS_PER_MINUTE)),
};
