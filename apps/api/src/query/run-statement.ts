import type { GrantedCompany } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { type Database, keepsSessions, type PoolClient } from '@takt/database';
import { ConcurrencyLimiter } from '@takt/run';
import type { Statement } from './statement-cache.js';

/** Whose rows a statement may see; the database holds it to that, whatever its text is. */
export type StatementCompany = Pick<GrantedCompany, 'key'>;

/** Each statement tells by `companyKey` whose rows its session showed. */
interface WithCompanyKey {
  readonly companyKey?: string | null;
}

/** A company leaves this many connections of a pool to others, however many statements it has and however short they seem. */
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

/** A request waits this long at most for its turn or a connection: most of the time of an answer is for the work. */
export const LONGEST_WAIT_MS = 1_000;

/**
 * Runs a statement for a company once that has a connection free. Throws overloaded where it has none by `untilMs`, by
 * performance.now, queryTooSlow where the database gave up on what a client could ask for less of, and databaseUnavailable
 * where it does not answer in time or at all.
 *
 * Behind a pooler that lends its sessions by transaction, the key that was set may be in another session than the statement,
 * and no node of a cluster knows it.
 * So no row is given that was read with another key: the statement is run again with its key in one transaction.
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
  // Extended: the protocol that takes one statement alone, also where no value is bound.
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

/** Calls `onLost` whenever a session of the pool turns out to be another one than was set up. */
export function watchSessions(pool: Database['pool'], onLost: () => void): void {
  lostSessions.set(pool, onLost);
}

const lostSessions = new WeakMap<Database['pool'], () => void>();

/** What a named statement ends with in a session that does not know the name, or knows it already. */
const FORGOTTEN = ['26000', '42P05'];

function noneIfForgotten(cause: unknown): never[] {
  if (FORGOTTEN.includes(sqlStateOf(cause))) return [];
  throw cause;
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

/** Lends a session for one transaction that sees the rows of a company, and leaves nothing behind in it. */
async function inTransaction<Result>(
  pool: Database['pool'],
  { key }: StatementCompany,
  task: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let mustEnd = true;
  try {
    // The key of the session is then no longer known.
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

/** What a statement ends with that ran longer than statement_timeout. */
const QUERY_CANCELED = '57014';

/** SQLSTATE classes of a statement that is wrong whenever it is run: syntax, names, rights, types, values. */
const MISTAKES = /^(42|22|0A)/;

/** A call of the database; what it fails with is databaseUnavailable, or a mistake of ours as it is. */
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
