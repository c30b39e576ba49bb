import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { checkLogin } from './check-login.js';
import { findStartupProblems } from './check-schema.js';
import { type AppName, appRoles } from './logins.js';
import { type AppRole, type DatabaseOptions, openDatabase, type Pooler } from './open-database.js';
import { appSessions, settingsOf } from './session-settings.js';
import { isCluster } from './spread-over-nodes.js';

export interface AppConnection {
  readonly app: AppName;
  /** If true, a log-in with more rights than its app needs is accepted with a warning. */
  readonly allowOwner: boolean;
  /** The kind of pooler in front of DATABASE_URL. */
  readonly pooler?: Pooler | undefined;
  /** The setting that contains the address of the database. Default DATABASE_URL. */
  readonly setting?: 'DATABASE_URL' | 'QUEUE_URL';
}

export interface StartCheck {
  /** Reasons why the app must not start. Each is a sentence that says what to do. */
  readonly problems: readonly string[];
  /** Problems with which the app starts nevertheless. The app logs them. */
  readonly warnings: readonly string[];
  /**
   * The role that each connection must set. Undefined if the log-in holds only this role, so that nothing needs to be
   * set.
   */
  readonly role: AppRole | undefined;
  /** True if the database is a cluster. It is only checked for API and worker. */
  readonly isCluster?: boolean | undefined;
}

/**
 * Checks whether an app can start on a database. Looks first for the problems of findStartupProblems, then for rights
 * that the log-in has beyond its need, and then for wrong settings of its sessions. Rejects if the database cannot be
 * reached.
 */
export function checkBeforeStart(url: string, connection: AppConnection): Promise<StartCheck> {
  return judge(url, connection, findStartupProblems);
}

/**
 * Checks the log-in and the sessions of an address. If `findProblems` finds a problem, returns that problem without
 * these checks.
 */
async function judge(
  url: string,
  connection: AppConnection,
  findProblems: (pool: pg.Pool) => Promise<readonly string[]>,
): Promise<StartCheck> {
  const { app, pooler, setting = 'DATABASE_URL' } = connection;
  try {
    const found = await withPool({ url, pooler }, async (pool) => {
      const problems = await findProblems(pool);
      // The log-in cannot be checked yet: the problems may ask for a migration, and the role of the log-in may not
      // exist before that migration.
      if (problems.length > 0) return { problems, warnings: [], role: undefined };
      const judged = await judgeLogin(pool, connection);
      if (judged.problems.length > 0 || !READS_NODES.includes(app) || !(await isCluster(pool))) return judged;
      return { ...judged, isCluster: true, problems: await findNodeProblems(pool) };
    });
    if (found.problems.length > 0) return found;
    return { ...found, problems: await findSessionProblems(url, connection, found.role) };
  } catch (error) {
    if (!isRefusedParameter(error)) throw error;
    const problem = `a pooler in front of ${setting} refuses what sessions need (${String(error)}): ${howToPool(connection)}`;
    return { problems: [problem], warnings: [], role: undefined };
  }
}

/** The apps that read and write the tables of companies. */
const READS_NODES: readonly AppName[] = ['api', 'worker'];

/**
 * Finds out whether the servers of a cluster let the log-in in from one another, by a question to all nodes. A node that is
 * away is no problem: what is not about its companies is served.
 */
async function findNodeProblems(pool: pg.Pool): Promise<readonly string[]> {
  try {
    await pool.query('SELECT count(*) FROM takt.company_changes');
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!/password|authentication|pg_hba|permission denied/.test(reason)) return [];
    return [
      `the servers of the cluster do not let the log-in in from one another (${reason}): add a line for it to .pgpass of the ` +
        'user that PostgreSQL runs as, on every server',
    ];
  }
}

/** Returns true for the error by which PgBouncer refuses a connection parameter that it does not pass on. */
function isRefusedParameter(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '08P01' &&
    /startup parameter/.test(error.message)
  );
}

function howToPool({ app, pooler, setting }: AppConnection): string {
  if (setting === 'QUEUE_URL') return 'set QUEUE_URL to PostgreSQL itself, or to Redis';
  const anew = `create the log-in again (takt login create ${app})`;
  if (pooler !== undefined) return `${anew}, which has these settings; an owner's has not`;
  return `connect to PostgreSQL itself, or set DATABASE_POOLER=transaction and ${anew}`;
}

/** Checks that sessions have the settings of the app and do not lose them. */
function findSessionProblems(
  url: string,
  connection: AppConnection,
  role: AppRole | undefined,
): Promise<readonly string[]> {
  const { app, pooler, setting = 'DATABASE_URL' } = connection;
  return withPool({ url, pooler, role, ...appSessions[app], maxConnections: 2 }, async (pool) => {
    const wanted = { ...settingsOf(app), ...(role && { role }) };
    const names = Object.keys(wanted);
    const { rows } = await pool.query<{ name: string; value: string }>(
      'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
      [names],
    );
    const has = new Map(rows.map(({ name, value }) => [name, value]));
    const others = Object.entries(wanted).flatMap(([name, value]) => {
      const found = has.get(name) ?? '';
      return normalised(found) === normalised(value)
        ? []
        : [`${name} is ${found || 'empty'} instead of ${value}`];
    });
    const problems: string[] = [];
    if (others.length > 0) {
      problems.push(
        `sessions of ${setting} do not have the settings that the ${app} gives them (${others.join('; ')}), as behind a ` +
          `pooler that drops them: ${howToPool(connection)}`,
      );
    } else if (pooler === undefined && (await areSessionsShared(pool))) {
      problems.push(
        `a pooler in front of ${setting} lends sessions by transaction, so they lose their settings: ${howToPool(connection)}`,
      );
    }
    return problems;
  });
}

/**
 * Returns a value in one common spelling, because PostgreSQL prints durations (here in ms) and lists in several
 * spellings.
 */
function normalised(value: string): string {
  const [, count, unit = 'ms'] = /^(\d+)(ms|s|min)?$/.exec(value) ?? [];
  if (count !== undefined) return String(Number(count) * ({ ms: 1, s: 1_000, min: 60_000 }[unit] ?? 1));
  return value.replaceAll(/[\s"]/g, '').toLowerCase();
}

/**
 * Returns true if a connection sees a setting that another connection made, or if it has lost its own setting. A busy
 * transaction pooler may hide this from the check; in that case the API notices it when it runs a statement
 * (runStatement).
 */
async function areSessionsShared(pool: pg.Pool): Promise<boolean> {
  const [one, other] = [await pool.connect(), await pool.connect()];
  const mark = randomUUID();
  const markOf = async (client: pg.PoolClient) =>
    (await client.query<{ mark: string }>("SELECT current_setting('takt.session', true) AS mark")).rows[0]
      ?.mark;
  try {
    await one.query("SELECT set_config('takt.session', $1, false)", [mark]);
    return (await markOf(other)) === mark || (await markOf(one)) !== mark;
  } finally {
    one.release(true);
    other.release(true);
  }
}

interface StartCheckWithQueues extends StartCheck {
  /** The address of the queues. If the log-in is the owner's, the address contains the role that sessions set. */
  readonly queueUrl: string;
}

/**
 * Runs checkBeforeStart. If the queues have a PostgreSQL server of their own, also checks the log-in on that server.
 */
export async function checkBeforeStartWithQueues(
  databaseUrl: string,
  queueUrl: string,
  connection: AppConnection,
): Promise<StartCheckWithQueues> {
  const database = await checkBeforeStart(databaseUrl, connection);
  if (!/^postgres(ql)?:/i.test(queueUrl)) return { ...database, queueUrl };
  if (queueUrl === databaseUrl && connection.pooler !== undefined) {
    const problem =
      'a queue in PostgreSQL needs sessions of its own, which DATABASE_POOLER=transaction does not give: ' +
      'set QUEUE_URL to PostgreSQL itself, or to Redis';
    return { ...database, problems: [...database.problems, problem], queueUrl };
  }
  if (queueUrl === databaseUrl) return { ...database, queueUrl: withRole(queueUrl, database.role) };
  const ofQueue = { ...connection, setting: 'QUEUE_URL', pooler: undefined } as const;
  const queue = await judge(queueUrl, ofQueue, async () => []);
  return {
    problems: [...database.problems, ...queue.problems],
    warnings: [...database.warnings, ...queue.warnings],
    role: database.role,
    queueUrl: withRole(queueUrl, queue.role),
  };
}

function withRole(address: string, role: AppRole | undefined): string {
  if (role === undefined) return address;
  const url = new URL(address);
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${options} -c role=${role}`.trim());
  return url.href;
}

async function judgeLogin(pool: pg.Pool, { app, allowOwner, setting }: AppConnection): Promise<StartCheck> {
  const { problems, canTakeRole } = await checkLogin(pool, app, setting);
  if (problems.length === 0 || !allowOwner) return { problems, warnings: [], role: undefined };
  return { problems: [], warnings: problems, role: canTakeRole ? appRoles[app] : undefined };
}

async function withPool<Result>(
  options: Omit<DatabaseOptions, 'applicationName'>,
  task: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ applicationName: 'takt start-up check', maxConnections: 1, ...options });
  try {
    return await task(database.pool);
  } finally {
    await database.close();
  }
}
