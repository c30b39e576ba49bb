import type pg from 'pg';
import { nextVersions } from '../production-times/rebuild-production-times.js';
import { changeCompany } from './change-company.js';

/** A name is no time zone; the message says which names are. */
export class TimeZoneError extends Error {
  override readonly name = 'TimeZoneError';
}

/** For so many operations batches of the company wait at once: some 100 ms. */
const OPERATIONS_PER_TRANSACTION = 20_000;

export interface TimeZoneReport {
  readonly timeZone: string;
  readonly structureVersions: number;
  /** Operations that were pruned and stay in the months of the time zone of then. */
  readonly pruned: number;
}

/**
 * Gives a company another time zone and rebuilds its figures by month. Online: events go on, and batches of the company wait
 * for one step at a time. Ended in between, it goes on when called again. `onProgress` hears how many structure versions are
 * done. The time zone is an IANA name in any case; throws a TimeZoneError for another. Rejects where the company is not
 * registered. Only the owner of the database may do this.
 */
export async function changeTimeZone(
  pool: pg.Pool,
  options: {
    readonly database: string;
    readonly timeZone: string;
    readonly onProgress?: (structureVersions: number) => void;
  },
): Promise<TimeZoneReport> {
  const timeZone = await findTimeZone(pool, options.timeZone);
  const companyId = await changeCompany(pool, options.database, { timeZone });
  const { wanted, structureVersions } = await rebuildMonths(pool, companyId, options.onProgress);
  if (wanted !== timeZone) {
    throw new Error(
      `${options.database} was given the time zone ${wanted} meanwhile, and has its months there`,
    );
  }
  const { rows } = await pool.query<{ pruned: string }>(
    'SELECT coalesce(sum(run_time_count), 0) AS pruned FROM takt.pruned_figures WHERE company_id = $1',
    [companyId],
  );
  return { timeZone, structureVersions, pruned: Number(rows[0]?.pruned) };
}

interface ZoneState {
  readonly wanted: string;
  /** The time zone of the months, or that of the change under way. */
  readonly kept: string;
  readonly rebuiltTo: string | null;
}

/**
 * Ends a change that was interrupted, which may have been to another zone, and makes those that it takes until the months are
 * in the zone that the company has then. Side by side with another run it helps that one.
 */
export async function rebuildMonths(
  pool: pg.Pool,
  companyId: number,
  onProgress?: (structureVersions: number) => void,
): Promise<{ readonly wanted: string; readonly structureVersions: number }> {
  let structureVersions = 0;
  for (;;) {
    const { rows } = await pool.query<ZoneState>(
      `SELECT companies.time_zone AS wanted, coalesce(months.time_zone, 'UTC') AS kept, rebuilt_to AS "rebuiltTo"
       FROM takt.companies LEFT JOIN takt.month_zones AS months USING (company_id) WHERE company_id = $1`,
      [companyId],
    );
    const { wanted = '', kept = '', rebuiltTo = null } = rows[0] ?? {};
    if (rebuiltTo !== null) {
      const versions = await nextVersions(pool, companyId, rebuiltTo, OPERATIONS_PER_TRANSACTION);
      await pool.query('SELECT takt.rebuild_months($1, $2)', [companyId, versions.at(-1) ?? null]);
      structureVersions += versions.length;
      onProgress?.(structureVersions);
    } else if (kept === wanted) {
      return { wanted, structureVersions };
    } else {
      await pool.query('SELECT takt.begin_time_zone($1, $2)', [companyId, wanted]);
    }
  }
}

const MOST_PROPOSALS = 3;

/**
 * A time zone as PostgreSQL writes its name. One that only PostgreSQL or only Node.js knows is none, nor is one such as
 * CET: PostgreSQL takes it for an abbreviation, without daylight saving. Throws a TimeZoneError.
 */
export async function findTimeZone(pool: pg.Pool, wanted: string): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM pg_timezone_names
     WHERE name !~ '^(posix|right)/' AND (name = 'UTC' OR lower(name) NOT IN (SELECT lower(abbrev) FROM pg_timezone_abbrevs))
       AND (lower(name) = lower($1) OR strpos(lower(name), lower($1)) > 0)
     ORDER BY lower(name) = lower($1) DESC, name`,
    [wanted.replaceAll(' ', '_')],
  );
  const known = rows.map(({ name }) => name).filter(isKnownHere);
  const [found] = known;
  if (found !== undefined && found.toLowerCase() === wanted.toLowerCase()) return found;
  const proposals = wanted === '' ? [] : known.slice(0, MOST_PROPOSALS);
  const hint = proposals.length === 0 ? '' : `; did you mean ${proposals.join(' or ')}?`;
  throw new TimeZoneError(
    `a time zone is an IANA name, as in Europe/Oslo or UTC, not ${JSON.stringify(wanted)}${hint}`,
  );
}

function isKnownHere(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
