/**
 * Returns a function that gives the month of an instant in a time zone, such as `2024-01`. It uses the time zones of
 * JavaScript, which are independent of PostgreSQL's.
 */
export function monthIn(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit' });
  return (instant) => {
    const parts = new Map(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
    return `${parts.get('year')}-${parts.get('month')}`;
  };
}

/**
 * Time zones with offsets of half and quarter hours, time zones at both ends of the day, and time zones in which
 * daylight saving time changes near or at the start of a month.
 */
export const TIME_ZONES = [
  'UTC',
  'Europe/Oslo',
  'America/New_York',
  'America/Havana',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'America/Asuncion',
];

const QUARTER_HOUR_MS = 900_000;

/**
 * Returns the start of a month, such as `2024-01`, in every time zone, and the microsecond before each start. All
 * instants are in UTC.
 */
export function beginsOfMonth(month: string): readonly string[] {
  return Array.from({ length: 4 * 28 }, (_, quarter) => {
    const at = Date.parse(`${month}-01T00:00:00Z`) + (quarter - 4 * 15) * QUARTER_HOUR_MS;
    return [toText(at, '000'), toText(at - 1, '999')];
  }).flat();
}

function toText(instant: number, microseconds: string): string {
  return new Date(instant).toISOString().replace('Z', `${microseconds}Z`);
}
