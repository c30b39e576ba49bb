import type pg from 'pg';
import { findOtherFunctions } from './apply-functions.js';
import { FROM_BEFORE_RELEASE, isFromBeforeRelease } from './before-release.js';
import { readFunctions, readMigrations } from './read-migrations.js';

const MINIMUM_SERVER_VERSION = 18;
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/**
 * Finds the problems that keep an app from starting on this database: the server or the schema has the wrong version,
 * functions differ from the functions of this program, or the clocks differ. Each problem is a sentence that says what
 * to do. The list is empty if there are none.
 */
export async function findStartupProblems(pool: pg.Pool): Promise<readonly string[]> {
  const oldServer = await findOldServer(pool);
  if (oldServer !== undefined) return [oldServer];
  return [...(await findSchemaProblems(pool)), ...(await findClockProblems(pool))];
}

/** Returns the problem if the server is too old, and undefined if it is new enough. */
export async function findOldServer(connection: pg.Pool | pg.ClientBase): Promise<string | undefined> {
  const { rows } = await connection.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version >= MINIMUM_SERVER_VERSION) return undefined;
  return `PostgreSQL ${MINIMUM_SERVER_VERSION} or newer is needed, the server is ${version}: upgrade it`;
}

/**
 * Finds problems if the tables or functions of the database do not fit this program. Each problem is a sentence that
 * says what to do. There are no problems if tables and functions have the version of this program, or a newer version
 * that is recorded as compatible.
 */
export async function findSchemaProblems(pool: pg.Pool): Promise<readonly string[]> {
  if (await isFromBeforeRelease(pool)) return [FROM_BEFORE_RELEASE];
  const [found, wanted] = [await readSchemaVersion(pool), (await readMigrations()).length];
  if (found < wanted) return [`the schema has version ${found}, ${wanted} is needed: run takt migrate`];
  if (found > wanted) return findIncompatibility(pool, found, wanted);
  const { outdated, superfluous } = await findOtherFunctions(pool, await readFunctions());
  const names = [...outdated.map(({ name }) => name), ...superfluous];
  if (names.length === 0) return [];
  return [`functions differ from this program's (${names.join(', ')}): run takt migrate of the newest Takt`];
}

/**
 * Finds out if a newer schema is incompatible with this program. A newer Takt may migrate the database while this
 * program still runs, or before it restarts. The functions are not compared in this case: they keep their names,
 * arguments and results unless the migration says otherwise.
 */
async function findIncompatibility(pool: pg.Pool, found: number, wanted: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ needed: number }>(
    'SELECT max(breaks_before) AS needed FROM takt.schema_migrations',
  );
  const needed = rows[0]?.needed ?? 0;
  if (wanted >= needed) return [];
  return [
    `the schema has version ${found}, which programs need to know up to version ${needed}, ` +
      `and this program knows ${wanted}: start a newer Takt`,
  ];
}

/**
 * Returns true if a newer Takt has migrated the database. The texts that are served from its tables may then be newer
 * than this program.
 */
export async function isSchemaNewer(pool: pg.Pool): Promise<boolean> {
  return (await readSchemaVersion(pool)) > (await readMigrations()).length;
}

/** Returns the number of the newest applied migration, or 0 for a database that Takt has never migrated. */
export async function readSchemaVersion(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ known: boolean }>(
    `SELECT to_regclass('takt.schema_migrations') IS NOT NULL AS known`,
  );
  if (rows[0]?.known !== true) return 0;
  const newest = await pool.query<{ version: number }>(
    'SELECT coalesce(max(number), 0) AS version FROM takt.schema_migrations',
  );
  return newest.rows[0]?.version ?? 0;
}

/**
 * Compares the clock of this machine with the clock of the database. It assumes that the answer took half of the round
 * trip.
 */
async function findClockProblems(pool: pg.Pool): Promise<readonly string[]> {
  const sentAt = Date.now();
  const { rows } = await pool.query<{ epoch: string }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS epoch',
  );
  const differenceMs = (sentAt + Date.now()) / 2 - Number(rows[0]?.epoch);
  if (Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS) return [];
  return [
    `this machine's clock differs by ${Math.round(differenceMs)} ms from the database's, ` +
      `at most ${MAX_CLOCK_DIFFERENCE_MS} ms are allowed: synchronise both (NTP)`,
  ];
}
