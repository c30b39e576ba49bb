/** The end of the generated year. It is fixed, because the same arguments must always give the same bytes. */
const LAST_INSTANT = '2025-12-26T22:00:00Z';
const WEEKS = 52;
const DAYS_PER_WEEK = 5;
/** The factories work in two shifts, from 06:00 to 22:00. */
const HOURS_PER_DAY = 16;
const MS_PER_HOUR = 3_600_000;
const MS_PER_CALENDAR_DAY = 24 * MS_PER_HOUR;
const DAYS = WEEKS * DAYS_PER_WEEK;

/**
 * Start of the generated year: 06:00 on the Monday of the first of 52 weeks. The last week ends on a Friday at 22:00.
 */
const FIRST_MS =
  Date.parse(LAST_INSTANT) - (WEEKS * 7 - 3) * MS_PER_CALENDAR_DAY - HOURS_PER_DAY * MS_PER_HOUR;

/** Returns the instant, in whole seconds, at which the given part (0 to 1) of the year's working hours has passed. */
export function instantAt(part: number): string {
  const workedDays = Math.min(Math.max(part, 0), 1) * DAYS;
  const day = Math.min(Math.floor(workedDays), DAYS - 1);
  const calendarDay = Math.floor(day / DAYS_PER_WEEK) * 7 + (day % DAYS_PER_WEEK);
  const ms = FIRST_MS + calendarDay * MS_PER_CALENDAR_DAY + (workedDays - day) * HOURS_PER_DAY * MS_PER_HOUR;
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** An instant before all operations, used for master data. */
export const BEGIN_OF_YEAR = instantAt(0);
