import type { GrantedCompany } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { type Database, keepsSessions, type PoolClient } from '@takt/database';
import { ConcurrencyLimiter } from '@takt/run';
import type { Statement } from './statement-cache.js';

/** The company whose rows a statement may see. The database enforces this, whatever the text of the statement. */
export type StatementCompany = Pick<GrantedCompany, 'key'>;

/** A row of any statement: each returns `companyKey`, the company of its session. */
interface WithCompanyKey {
  readonly companyKey?: string | null;
}

/** Connections of a pool that one company always leaves to others, however many statements it runs. */
const LEFT_TO_OTHERS = 2;

const places = new WeakMap<Database['pool'], ConcurrencyLimiter>();

function placesOf(pool: Database['pool']): ConcurrencyLimiter {
  const known = places.get(pool);
  if (known !== undefined) return known;
  const { max } = pool.options;
  const opened = new ConcurrencyLimiter({
    capacity: max,
    shares: { company: Math.max(1, max - LEFT_TO_OTHERS) },
  });
  places.set(pool, opened);
  return opened;
}

/** Limit of waiting for a turn or a connection, short so that most of an answer's time is left for the work. */
export const LONGEST_WAIT_MS = 1_000;

/**
 * Runs a statement for a company once a connection is free. Throws overloaded if no connection is free by `untilMs` (in
 * the time of performance.now()), queryTooSlow if the statement took too long and a client could narrow it, and
 * databaseUnavailable if the database does not answer in time. Behind a transaction pooler the company key may have
 * been set in another session, and on a cluster the nodes do not know a key that was set on another node. So rows read
 * with another key are discarded, and the statement runs again in one transaction that sets its own key.
 */
export async function runStatement<Row extends object>(
  pool: Database['pool'],
  company: StatementCompany,
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
  untilMs = performance.now() + LONGEST_WAIT_MS,
): Promise<readonly Row[]> {
  const leave = await placesOf(pool).enter({ owners: { company: company.key }, untilMs });
  if (typeof leave !== 'function') throw new ServiceError('overloaded');
  return await runNow<Row>(pool, company, statement, values).finally(leave);
}

async function runNow<Row extends object>(
  pool: Database['pool'],
  company: StatementCompany,
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const { name, text, canBeNarrowed } = statement;
  // Uses the extended protocol even without bound values, because it accepts only a single statement.
  const query = { text, values: statement.bind(values), queryMode: 'extended' };
  const isKept = (rows: readonly WithCompanyKey[]) => rows[0]?.companyKey === company.key;
  const runPrepared = async (client: PoolClient) => {
    if (name === undefined) return (await client.query<Row & WithCompanyKey>(query)).rows;
    preparedBy(client).add(name);
    return (await client.query<Row & WithCompanyKey>({ name, ...query })).rows;
  };
  try {
    if (keepsSessions(pool)) {
      const rows = await withCompany(pool, company, runPrepared).catch(noneIfForgotten);
      if (isKept(rows)) return rows;
      lostSessions.get(pool)?.();
    }
    const rows = await inTransaction(
      pool,
      company,
      async (client) => (await client.query<Row & WithCompanyKey>(query)).rows,
    );
    if (isKept(rows)) return rows;
    lostSessions.get(pool)?.();
  } catch (cause) {
    if (canBeNarrowed && sqlStateOf(cause) === QUERY_CANCELED) throw new ServiceError('queryTooSlow');
    throw errorOf(cause);
  }
  throw errorOf(new Error('the session showed the rows of another company'));
}

/** Sets a function that is called when a session of the pool turns out not to be the one that was set up. */
export function watchSessions(pool: Database['pool'], onLost: () => void): void {
  lostSessions.set(pool, onLost);
}

const lostSessions = new WeakMap<Database['pool'], () => void>();

/**
 * SQLSTATEs for a named statement in a session that does not know the name, or already has a statement of that name.
 */
const FORGOTTEN = ['26000', '42P05'];

function noneIfForgotten(cause: unknown): never[] {
  if (FORGOTTEN.includes(sqlStateOf(cause))) return [];
  throw cause;
}

const prepared = new WeakMap<PoolClient, Set<string>>();

function preparedBy(client: PoolClient): Set<string> {
  const names = prepared.get(client) ?? new Set();
  prepared.set(client, names);
  return names;
}

/**
 * A session keeps its prepared statements until it ends. A session with more than this number is closed, so that a
 * client with ever new shapes can neither fill the server's memory nor use up the names.
 */
const MOST_PREPARED = 250;

/** The company key set in each session. */
const keys = new WeakMap<PoolClient, string>();

/**
 * Lends a session that sees the rows of a company. The key is sent only if the session has another one; with few
 * companies, most sessions already have the right one. Also needed for a resource without a company, since the session
 * would otherwise keep the previous key. A session is not reused after a failure.
 */
export async function withCompany<Result>(
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

/**
 * Lends a session for one transaction, in which it sees the rows of a company; no setting stays in the session
 * afterwards.
 */
async function inTransaction<Result>(
  pool: Database['pool'],
  { key }: StatementCompany,
  task: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let mustEnd = true;
  try {
    // From here on, the key of the session is unknown.
    keys.delete(client);
    await client.query(`BEGIN READ ONLY; SET LOCAL takt.company_key = ${client.escapeLiteral(key)}`);
    const result = await task(client);
    await client.query('COMMIT');
    mustEnd = false;
    return result;
  } finally {
    client.release(mustEnd);
  }
}

const SET_COMPANY = "SELECT set_config('takt.company_key', $1, false)";

/** SQLSTATE of a statement that exceeded statement_timeout. */
const QUERY_CANCELED = '57014';

/** SQLSTATE classes of wrong statements: syntax, names, rights, types, values. */
const MISTAKES = /^(42|22|0A)/;

/**
 * Awaits a call of the database. Rethrows errors that are mistakes of this program, and turns all others into
 * databaseUnavailable.
 */
export async function callDatabase<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (cause) {
    throw errorOf(cause);
  }
}

function errorOf(cause: unknown): unknown {
  return MISTAKES.test(sqlStateOf(cause)) ? cause : new ServiceError('databaseUnavailable', {}, { cause });
}

function sqlStateOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
