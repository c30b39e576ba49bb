import type { Database } from '@takt/database';
import { ServiceError } from '@takt/error-catalogue';
import type { Statement } from '../query/statement-cache.js';

/** Runs a statement. Throws databaseUnavailable where the database does not answer in time or at all. */
export async function runStatement<Row extends object>(
  pool: Database['pool'],
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const { name, text } = statement;
  try {
    const query = { text, values: statement.bind(values) };
    const { rows } = await pool.query<Row>(name === undefined ? query : { name, ...query });
    return rows;
  } catch (cause) {
    throw toDatabaseFailure(cause);
  }
}

/** What a call of the database failed with, as it is to be thrown: databaseUnavailable, or a mistake of ours as it is. */
export function toDatabaseFailure(cause: unknown): unknown {
  return isMistake(cause) ? cause : new ServiceError('databaseUnavailable', {}, { cause });
}

/** SQLSTATE classes of a statement that is wrong whenever it is run: syntax, names, rights, types, values. */
const MISTAKES = /^(42|22|0A)/;

function isMistake(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISTAKES.test(String(error.code));
}
