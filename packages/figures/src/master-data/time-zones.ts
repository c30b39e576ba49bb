import type pg from 'pg';
import { nextVersions } from '../production-times/rebuild-production-times.js';
import { changeCompany } from './change-company.js';

/** Thrown if a name is not a time zone. The message says which names are valid. */
export class TimeZoneError extends Error {
  override readonly name = 'TimeZoneError';
}

/** Number of operations that one step rebuilds. The batches of the company wait meanwhile, which takes some 100 ms. */
const OPERATIONS_PER_TRANSACTION = 20_000;

export interface TimeZoneReport {
  readonly timeZone: string;
  readonly structureVersions: number;
  /** Number of pruned operations. They stay in the months of the former time zone. */
  readonly pruned: number;
}

/**
 * Changes the time zone of a company and rebuilds its monthly figures. Events can be applied meanwhile; the batches of
 * the company wait for one step at a time. A repeated call continues an interrupted change. `onProgress` receives the
 * number of finished structure versions. The time zone is an IANA name in upper or lower case; any other name throws a
 * TimeZoneError. Rejects if the company is not registered. Only the owner of the database may call it.
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
      `${options.database} was given the time zone ${wanted} meanwhile, and its months are in that zone`,
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
  /** The time zone of the months, including the months that are being rebuilt. */
  readonly monthZone: string;
  readonly rebuiltTo: string | null;
}

/**
 * Completes an interrupted change, and any change that is made in the meantime, until all months are in the time zone
 * of the company. Concurrent runs share the work.
 */
export async function rebuildMonths(
  pool: pg.Pool,
  companyId: number,
  onProgress?: (structureVersions: number) => void,
): Promise<{ readonly wanted: string; readonly structureVersions: number }> {
  let structureVersions = 0;
  for (;;) {
    const { rows } = await pool.query<ZoneState>(
      `SELECT companies.time_zone AS wanted, coalesce(months.time_zone, 'UTC') AS "monthZone", rebuilt_to AS "rebuiltTo"
       FROM takt.companies LEFT JOIN takt.month_zones AS months USING (company_id) WHERE company_id = $1`,
      [companyId],
    );
    const { wanted = '', monthZone = '', rebuiltTo = null } = rows[0] ?? {};
    if (rebuiltTo !== null) {
      const versions = await nextVersions(pool, companyId, rebuiltTo, OPERATIONS_PER_TRANSACTION);
      await pool.query('SELECT takt.rebuild_months($1, $2)', [companyId, versions.at(-1) ?? null]);
      structureVersions += versions.length;
      onProgress?.(structureVersions);
    } else if (monthZone === wanted) {
      return { wanted, structureVersions };
    } else {
      await pool.query('SELECT takt.begin_time_zone($1, $2)', [companyId, wanted]);
    }
  }
}

const MOST_PROPOSALS = 3;

/**
 * Returns the time zone in the spelling of PostgreSQL. Both PostgreSQL and Node.js must know the time zone. An
 * abbreviation such as CET is refused, because PostgreSQL treats it as a zone without daylight saving time. Throws a
 * TimeZoneError.
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
