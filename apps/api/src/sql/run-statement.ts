import type { GrantedCompany } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { type Database, keepsSessions, type PoolClient } from '@takt/database';
import { ConcurrencyLimiter } from '@takt/run';
import type { Statement } from './statement-cache.js';

/**
 * The company whose rows a statement may see. The database enforces this restriction, whatever the text of the
 * statement is.
 */
export type StatementCompany = Pick<GrantedCompany, 'key'>;

/** A row that a statement returns. Every statement also returns `companyKey`, the company that its session has set. */
interface WithCompanyKey {
  readonly companyKey?: string | null;
}

/**
 * However many statements one company runs, it always leaves this number of a pool's connections to other companies.
 */
const LEFT_TO_OTHERS = 2;

/** The state that this program keeps for a pool. */
interface PoolState {
  /** The places for statements, of which one company cannot take all. */
  readonly places: ConcurrencyLimiter;
  onLostSession: () => void;
}

/** The state that this program has given a session. */
interface SessionState {
  /** The key of the company whose rows the session can see; undefined if it is not known. */
  companyKey: string | undefined;
  /** The names of the statements that are prepared. */
  readonly prepared: Set<string>;
}

const pools = new WeakMap<Database['pool'], PoolState>();
const sessions = new WeakMap<PoolClient, SessionState>();

function stateOf(pool: Database['pool']): PoolState {
  const known = pools.get(pool);
  if (known !== undefined) return known;
  const { max } = pool.options;
  const shares = { company: Math.max(1, max - LEFT_TO_OTHERS) };
  const opened = {
    places: new ConcurrencyLimiter({ capacity: max, shares }),
    onLostSession: () => undefined,
  };
  pools.set(pool, opened);
  return opened;
}

function sessionOf(client: PoolClient): SessionState {
  const known = sessions.get(client);
  if (known !== undefined) return known;
  const opened = { companyKey: undefined, prepared: new Set<string>() };
  sessions.set(client, opened);
  return opened;
}

/**
 * The maximum time that a statement waits for its turn or for a connection. It is short, so that most of the time for
 * an answer is left for the work itself.
 */
export const LONGEST_WAIT_MS = 1_000;

/**
 * Runs a statement for a company as soon as a connection is free. Throws overloaded if no connection is free by
 * `untilMs` (in the time of performance.now()); queryTooSlow if the statement took too long and the client could narrow
 * the request; and databaseUnavailable if the database does not answer in time.
 * The session may have another company key than this program has set: a transaction pooler may have set the key in
 * another session, and the nodes of a cluster do not know a key that was set on another node. So rows that were read
 * with another key are discarded, and the statement runs again in a transaction that sets the key itself.
 */
export async function runStatement<Row extends object>(
  pool: Database['pool'],
  company: StatementCompany,
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
  untilMs = performance.now() + LONGEST_WAIT_MS,
): Promise<readonly Row[]> {
  const leave = await stateOf(pool).places.enter({ owners: { company: company.key }, untilMs });
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
  // Uses the extended protocol even if there are no values to bind, because this protocol accepts only a single
  // statement.
  const query = { text, values: statement.bind(values), queryMode: 'extended' };
  const isKept = (rows: readonly WithCompanyKey[]) => rows[0]?.companyKey === company.key;
  const runPrepared = async (client: PoolClient) => {
    if (name === undefined) return (await client.query<Row & WithCompanyKey>(query)).rows;
    sessionOf(client).prepared.add(name);
    return (await client.query<Row & WithCompanyKey>({ name, ...query })).rows;
  };
  try {
    if (keepsSessions(pool)) {
      const rows = await withCompany(pool, company, runPrepared).catch(noneIfForgotten);
      if (isKept(rows)) return rows;
      stateOf(pool).onLostSession();
    }
    const rows = await inTransaction(
      pool,
      company,
      async (client) => (await client.query<Row & WithCompanyKey>(query)).rows,
    );
    if (isKept(rows)) return rows;
    stateOf(pool).onLostSession();
  } catch (cause) {
    const isTooSlow = canBeNarrowed && sqlStateOf(cause) === QUERY_CANCELED;
    if (isTooSlow && (await areDataThere(pool, company))) throw new ServiceError('queryTooSlow');
    throw errorOf(cause);
  }
  throw errorOf(new Error('the session showed the rows of another company'));
}

/**
 * Sets the function that is called when a session of the pool turns out not to be the session that this program has set
 * up.
 */
export function watchSessions(pool: Database['pool'], onLost: () => void): void {
  stateOf(pool).onLostSession = onLost;
}

/**
 * SQLSTATEs that a session reports for a named statement if the session does not know the name, or if it already has a
 * statement with this name.
 */
const FORGOTTEN = ['26000', '42P05'];

function noneIfForgotten(cause: unknown): never[] {
  if (FORGOTTEN.includes(sqlStateOf(cause))) return [];
  throw cause;
}

/**
 * The maximum number of statements that are prepared in one session. A session keeps its prepared statements until it
 * ends, so a session with more statements is closed. Thus a client that sends ever new shapes of requests can neither
 * fill the server's memory nor use up the names.
 */
const MOST_PREPARED = 250;

/**
 * Lends a session in which the rows of a company are visible. The key of the company is sent only if the session has
 * another key; with few companies, most sessions already have the right key. A resource without a company also needs
 * this function, because the session would otherwise keep the key of the previous company. After a failure, the session
 * is closed instead of being used again.
 */
export async function withCompany<Result>(
  pool: Database['pool'],
  { key }: StatementCompany,
  task: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let mustEnd = true;
  try {
    const session = sessionOf(client);
    if (session.companyKey !== key) {
      await client.query({ name: 'takt_company', text: SET_COMPANY, values: [key] });
      session.companyKey = key;
    }
    const result = await task(client);
    mustEnd = session.prepared.size > MOST_PREPARED;
    return result;
  } finally {
    client.release(mustEnd);
  }
}

/**
 * Lends a session for one transaction in which the rows of a company are visible. After the transaction, no setting
 * remains in the session.
 */
async function inTransaction<Result>(
  pool: Database['pool'],
  { key }: StatementCompany,
  task: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let mustEnd = true;
  try {
    // From here on, it is not known which key the session has.
    sessionOf(client).companyKey = undefined;
    // Two calls, because Citus sends the whole text of a call with SET LOCAL to the nodes, also its BEGIN.
    await client.query('BEGIN READ ONLY');
    await client.query(`SET LOCAL takt.company_key = ${client.escapeLiteral(key)}`);
    const result = await task(client);
    await client.query('COMMIT');
    mustEnd = false;
    return result;
  } finally {
    client.release(mustEnd);
  }
}

/** Time in ms for a trivial question after a statement that has used up nearly all the time for an answer. */
const PROBE_MS = 250;

/**
 * Asks for hardly anything of a company. Returns false if even that is not answered, because the company's node in a cluster
 * hangs. Asks nothing if sessions are kept, since then there is only one server, which has answered.
 */
async function areDataThere(pool: Database['pool'], company: StatementCompany): Promise<boolean> {
  if (keepsSessions(pool)) return true;
  const ask = async (client: PoolClient) => {
    await client.query(`SET LOCAL statement_timeout = ${PROBE_MS}`);
    const { rows } = await client.query<{ id: number }>('SELECT takt.session_company() AS id');
    await client.query('SELECT FROM takt.company_changes WHERE company_id = $1', [rows[0]?.id]);
    return true;
  };
  return await inTransaction(pool, company, ask).catch(() => false);
}

const SET_COMPANY = "SELECT set_config('takt.company_key', $1, false)";

/** SQLSTATE of a statement that was cancelled because it exceeded statement_timeout. */
const QUERY_CANCELED = '57014';

/** SQLSTATE classes of errors in the statement itself: its syntax, names, rights, types or values. */
const MISTAKES = /^(42|22|0A)/;

/**
 * Waits for a call of the database. If it fails because of a mistake in this program, rethrows the error; turns every
 * other error into databaseUnavailable.
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
