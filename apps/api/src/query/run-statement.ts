import type { Database } from '@takt/database';
import { ServiceError } from '@takt/error-catalogue';
import type { Statement } from './statement-cache.js';

/**
 * Runs a statement. Throws queryTooSlow where the database gave up on what a client could ask for less of, and
 * databaseUnavailable where it does not answer in time or at all.
 */
export async function runStatement<Row extends object>(
  pool: Database['pool'],
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const { name, text, canBeNarrowed } = statement;
  const query = { text, values: statement.bind(values) };
  try {
    const { rows } = await pool.query<Row>(name === undefined ? query : { name, ...query });
    return rows;
  } catch (cause) {
    if (canBeNarrowed && sqlStateOf(cause) === QUERY_CANCELED) throw new ServiceError('queryTooSlow');
    throw failureOf(cause);
  }
}

/** What a statement ends with that ran longer than statement_timeout. */
const QUERY_CANCELED = '57014';

/** SQLSTATE classes of a statement that is wrong whenever it is run: syntax, names, rights, types, values. */
const MISTAKES = /^(42|22|0A)/;

/** A call of the database; what it fails with is databaseUnavailable, or a mistake of ours as it is. */
export async function callDatabase<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (cause) {
    throw failureOf(cause);
  }
}

function failureOf(cause: unknown): unknown {
  return MISTAKES.test(sqlStateOf(cause)) ? cause : new ServiceError('databaseUnavailable', {}, { cause });
}

function sqlStateOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
