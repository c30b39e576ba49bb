import type pg from 'pg';
import type { Migration } from './read-migrations.js';

/**
 * The last migration before 1.0.0. In that release the 38 migrations became the first six, which make the same tables.
 * So a backup of that schema can be restored into this one.
 */
const LAST = {
  number: 38,
  checksum: 'e1cc33ff65032df7acebc0c4ebd736069086a7305ae543c4271f50b3465a985b',
  nowNumber: 6,
};

/** The names of the first migration in databases from before 1.0.0. */
const FIRST_NAMES: readonly string[] = ['0001-companies-and-roles', '0001-roles-and-companies'];

export const FROM_BEFORE_RELEASE =
  'the database was made by a Takt from before 1.0.0 and cannot be migrated: back it up with that Takt (takt backup), ' +
  'and restore the file into an empty database with this one (takt restore), or for the embedded one into another TAKT_HOME';

/** Returns true if a Takt from before 1.0.0 has migrated the database. */
export async function isFromBeforeRelease(connection: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await connection.query<{ has: boolean }>(
    `SELECT to_regclass('takt.schema_migrations') IS NOT NULL AS has`,
  );
  if (rows[0]?.has !== true) return false;
  const { rowCount } = await connection.query('SELECT FROM takt.schema_migrations WHERE name = ANY ($1)', [
    FIRST_NAMES,
  ]);
  return rowCount !== 0;
}

type Recorded = readonly { readonly name: string; readonly checksum: string }[];

/**
 * Returns the migrations that make the tables of a schema from before 1.0.0, or 'too old' if it is not the last one.
 * Returns undefined for a schema of a release. `recorded` are the migrations of the schema.
 */
export function migrationsInstead(
  recorded: Recorded,
  known: readonly Migration[],
): readonly Migration[] | 'too old' | undefined {
  if (!FIRST_NAMES.includes(recorded[0]?.name ?? '')) return undefined;
  const isLast = recorded.length === LAST.number && recorded.at(-1)?.checksum === LAST.checksum;
  return isLast ? known.slice(0, LAST.nowNumber) : 'too old';
}
