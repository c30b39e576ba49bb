import type { GrantedCompany } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import type { Database, PoolClient } from '@takt/database';
import type { Statement } from './statement-cache.js';

/** Whose rows a statement may see; the database holds it to that, whatever its text is. */
export type StatementCompany = Pick<GrantedCompany, 'key'>;

/**
 * Runs a statement for a company. Throws queryTooSlow where the database gave up on what a client could ask for less of,
 * and databaseUnavailable where it does not answer in time or at all.
 */
export async function runStatement<Row extends object>(
  pool: Database['pool'],
  company: StatementCompany,
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const { name, text, canBeNarrowed } = statement;
  // Extended: the protocol that takes one statement alone, also where no value is bound.
  const query = { text, values: statement.bind(values), queryMode: 'extended' };
  try {
    return await withCompany(pool, company, async (client) => {
      if (name === undefined) return (await client.query<Row>(query)).rows;
      preparedBy(client).add(name);
      return (await client.query<Row>({ name, ...query })).rows;
    });
  } catch (cause) {
    if (canBeNarrowed && sqlStateOf(cause) === QUERY_CANCELED) throw new ServiceError('queryTooSlow');
    throw failureOf(cause);
  }
}

/** The names under which each session has prepared a statement. */
const prepared = new WeakMap<PoolClient, Set<string>>();

function preparedBy(client: PoolClient): Set<string> {
  const names = prepared.get(client) ?? new Set();
  prepared.set(client, names);
  return names;
}

/**
 * A session keeps what it has prepared for its life: one that has this much ends and another takes its place, so that a
 * client that invents shapes neither fills the server nor takes the names from those who come later.
 */
const MOST_PREPARED = 250;

/** The key that each session has set. */
const keys = new WeakMap<PoolClient, string>();

/**
 * Lends a session that sees the rows of a company. Its key is sent where the session has another: most requests of a
 * site with few companies meet one that has theirs. Also for a resource without a company, for the session would keep
 * that of whoever asked before. A session in which something failed is not used again, so nobody need know its key.
 */
async function withCompany<Result>(
  pool: Database['pool'],
  { key }: StatementCompany,
  task: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let mustEnd = true;
  try {
    if (keys.get(client) !== key) {
      await client.query({ name: 'takt_company', text: SET_COMPANY, values: [key] });
      keys.set(client, key);
    }
    const result = await task(client);
    mustEnd = preparedBy(client).size > MOST_PREPARED;
    return result;
  } finally {
    client.release(mustEnd);
  }
}

const SET_COMPANY = "SELECT set_config('takt.company_key', $1, false)";

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
