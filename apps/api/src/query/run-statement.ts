import type { Database } from '@takt/database';
import { ServiceError } from '@takt/error-catalogue';
import type { Statement } from './statement-cache.js';

/** Runs a statement. Throws databaseUnavailable where the database does not answer in time or at all. */
export async function runStatement<Row extends object>(
  pool: Database['pool'],
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const { name, text } = statement;
  const query = { text, values: statement.bind(values) };
  const { rows } = await callDatabase(pool.query<Row>(name === undefined ? query : { name, ...query }));
  return rows;
}

/** SQLSTATE classes of a statement that is wrong whenever it is run: syntax, names, rights, types, values. */
const MISTAKES = /^(42|22|0A)/;

/** A call of the database; what it fails with is databaseUnavailable, or a mistake of ours as it is. */
export async function callDatabase<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (cause) {
    const isMistake = cause instanceof Error && 'code' in cause && MISTAKES.test(String(cause.code));
    throw isMistake ? cause : new ServiceError('databaseUnavailable', {}, { cause });
  }
}
