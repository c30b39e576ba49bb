import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { findOtherFunctions } from './apply-functions.js';
import { type AppName, appRoles } from './logins.js';
import { type AppRole, type DatabaseOptions, openDatabase, type Pooler } from './open-database.js';
import { readFunctions, readMigrations } from './read-migrations.js';
import { appSessions, settingsOf } from './session-settings.js';
import { isCluster } from './spread-over-nodes.js';

const MINIMUM_SERVER_VERSION = 18;
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/**
 * What keeps an app from starting on this database, each as a sentence that says what to do; empty when all is
 * well. Looks at the server's version, the schema's version and the difference of the clocks.
 */
export async function findStartupProblems(pool: pg.Pool): Promise<readonly string[]> {
  const oldServer = await findOldServer(pool);
  if (oldServer !== undefined) return [oldServer];
  return [...(await findSchemaProblems(pool)), ...(await findClockProblems(pool))];
}

/** What is to be done about a server that is too old, if it is. */
export async function findOldServer(connection: pg.Pool | pg.ClientBase): Promise<string | undefined> {
  const { rows } = await connection.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version >= MINIMUM_SERVER_VERSION) return undefined;
  return `PostgreSQL ${MINIMUM_SERVER_VERSION} or newer is needed, the server is ${version}: upgrade it`;
}

/**
 * What keeps this program from working with tables and functions, each as a sentence that says what to do; empty where
 * they are its own, or newer and by their own record such that it can go on.
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
 * A newer Takt has migrated while this one goes on, or is started again, until it is replaced. What functions there
 * are is then the newer one's to know: they keep their names, arguments and results, or its migration says otherwise.
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

export const FROM_BEFORE_RELEASE =
  'the database was made by a Takt from before its first release and cannot be brought up to date: ' +
  'start anew with an empty database (for the embedded one, stop Takt and delete TAKT_HOME)';

/** Those kept no record of functions. */
export async function isFromBeforeRelease(connection: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await connection.query<{ answer: boolean }>(
    `SELECT to_regclass('takt.schema_migrations') IS NOT NULL
       AND to_regclass('takt.schema_functions') IS NULL AS answer`,
  );
  return rows[0]?.answer === true;
}

/** How an app connects that is about to start. */
export interface AppConnection {
  readonly app: AppName;
  /** Lets a log-in pass that could do more than its app needs. */
  readonly allowOwner: boolean;
  /** Before the database of DATABASE_URL. */
  readonly pooler?: Pooler | undefined;
  /** Where the address comes from; default DATABASE_URL. */
  readonly setting?: 'DATABASE_URL' | 'QUEUE_URL';
}

/** What such an app finds. */
export interface StartCheck {
  /** What keeps it from starting, each as a sentence that says what to do. */
  readonly problems: readonly string[];
  /** What it is to say loudly and goes on with. */
  readonly warnings: readonly string[];
  /** What its connections are to take: nothing where the log-in holds its role and no more. */
  readonly role: AppRole | undefined;
  /** True if the database is a cluster; only looked up for the API. */
  readonly isCluster?: boolean | undefined;
}

/**
 * Looks whether an app can start on a database with its log-in: what findStartupProblems gives, then what the log-in
 * could do beyond need. Rejects where the database cannot be reached.
 */
export function checkBeforeStart(url: string, connection: AppConnection): Promise<StartCheck> {
  return judge(url, connection, findStartupProblems);
}

/** What the sessions of an address are like, and its log-in, where `findProblems` finds nothing before. */
async function judge(
  url: string,
  connection: AppConnection,
  findProblems: (pool: pg.Pool) => Promise<readonly string[]>,
): Promise<StartCheck> {
  const { app, pooler, setting = 'DATABASE_URL' } = connection;
  try {
    const found = await withPool({ url, pooler }, async (pool) => {
      const problems = await findProblems(pool);
      // Without the roles of the apps nobody holds one; the problems say to migrate.
      if (problems.length > 0) return { problems, warnings: [], role: undefined };
      const judged = await judgeLogin(pool, connection);
      return app === 'api' && (await isCluster(pool)) ? { ...judged, isCluster: true } : judged;
    });
    if (found.problems.length > 0) return found;
    return { ...found, problems: await findSessionProblems(url, connection, found.role) };
  } catch (error) {
    if (!isRefusedParameter(error)) throw error;
    const problem = `a pooler before ${setting} refuses what sessions need (${String(error)}): ${howToPool(connection)}`;
    return { problems: [problem], warnings: [], role: undefined };
  }
}

/** PgBouncer's answer to a parameter of the connection that it does not pass on. */
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
  const anew = `make the log-in anew (takt login create ${app})`;
  if (pooler !== undefined) return `${anew}, which has these settings; an owner's has not`;
  return `connect to PostgreSQL itself, or set DATABASE_POOLER=transaction and ${anew}`;
}

/** Whether sessions have the settings that they are to have, and keep them. */
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
        `a pooler before ${setting} lends sessions by transaction, so they lose what is set in them: ${howToPool(connection)}`,
      );
    }
    return problems;
  });
}

/** Milliseconds and lists are written in several ways. */
function normalised(value: string): string {
  const [, count, unit = 'ms'] = /^(\d+)(ms|s|min)?$/.exec(value) ?? [];
  if (count !== undefined) return String(Number(count) * ({ ms: 1, s: 1_000, min: 60_000 }[unit] ?? 1));
  return value.replaceAll(/[\s"]/g, '').toLowerCase();
}

/**
 * Whether one connection sees what another has set in its session, or no longer what it has set itself. A transaction
 * pooler that is busy elsewhere may hide it; then statements find out (runStatement of the API).
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

/** What an app with queues finds. */
export interface StartCheckWithQueues extends StartCheck {
  /** The address of the queues as connections are to use it: their sessions take a role where the log-in is an owner's. */
  readonly queueUrl: string;
}

/** As checkBeforeStart; where the queues are in a PostgreSQL of their own, the log-in there is looked at too. */
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

/** Whether a newer Takt has migrated the database since, so that what is served from its tables is the newer one's. */
export async function isSchemaNewer(pool: pg.Pool): Promise<boolean> {
  return (await readSchemaVersion(pool)) > (await readMigrations()).length;
}

/** Number of the newest migration applied, 0 for a database that Takt has not touched. */
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

/** Compares this machine's clock with the database's, assuming that the answer took half the round trip. */
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

/** What the log-in of a connection is, beyond what its app needs. */
export interface LoginCheck {
  /** What it could do beyond the role of its app, each as a sentence that says how to mend it. */
  readonly problems: readonly string[];
  /** Whether it may become the app's role, as an owner may and an app's log-in may not. */
  readonly canTakeRole: boolean;
}

/**
 * Looks whether the log-in of a connection holds the role of its app and nothing else. Needs no right: PostgreSQL's
 * catalogs say all of it. `setting` is named in the problems.
 */
export async function checkLogin(
  connection: pg.Pool | pg.ClientBase,
  app: AppName,
  setting: 'DATABASE_URL' | 'QUEUE_URL' = 'DATABASE_URL',
): Promise<LoginCheck> {
  const { rows } = await connection.query<LoginReasons>(REASONS, [appRoles[app]]);
  const { login = '', reasons = [], canTakeRole = false } = rows[0] ?? {};
  const [inDatabase, inLogin] = [reasons.filter(isOfEverybody), reasons.filter((one) => !isOfEverybody(one))];
  const problems: string[] = [];
  if (inLogin.length > 0) {
    problems.push(
      `the log-in ${login} ${listed(inLogin)}, and the ${app} needs one that holds ${appRoles[app]} and nothing else: ` +
        `set ${setting} of the ${app} to what takt login create ${app} prints ${OR_ALLOW}`,
    );
  }
  if (inDatabase.length > 0) {
    problems.push(
      `the log-in ${login} ${listed(inDatabase)}, as everybody: run takt migrate as the owner of the database, ` +
        `which withdraws that ${OR_ALLOW}`,
    );
  }
  return { problems, canTakeRole };
}

const OR_ALLOW = '(TAKT_ALLOW_OWNER=1 lets it pass)';

interface LoginReasons {
  readonly login: string;
  readonly reasons: readonly string[];
  readonly canTakeRole: boolean;
}

/** What everybody may do in a database unless its owner withdrew it. */
const OF_EVERYBODY = 'may make';
const isOfEverybody = (reason: string) => reason.startsWith(OF_EVERYBODY);

function listed(reasons: readonly string[]): string {
  return [reasons.slice(0, -1).join(', '), ...reasons.slice(-1)].filter((part) => part !== '').join(' and ');
}

/**
 * BullMQ keeps what it adds in temporary tables, so all but the API may make them. Of objects that are the log-in's own,
 * and rights that were granted to it by name, pg_shdepend knows in this database and in those that all share; the right
 * to connect is no more than a log-in.
 */
const REASONS = `
  WITH login AS (SELECT * FROM pg_roles WHERE rolname = session_user)
  SELECT login.rolname AS login, array_remove(ARRAY[
    CASE WHEN rolsuper THEN 'is a superuser' END,
    CASE WHEN rolcreaterole THEN 'may create roles' END,
    CASE WHEN rolcreatedb THEN 'may create databases' END,
    CASE WHEN rolreplication THEN 'may replicate' END,
    CASE WHEN rolbypassrls THEN 'passes by the security of rows' END,
    CASE WHEN EXISTS (SELECT FROM pg_auth_members WHERE member = login.oid AND roleid::regrole::text = $1
      AND (set_option OR admin_option)) THEN 'may become ' || $1 || ' or pass it on' END,
    CASE WHEN NOT EXISTS (SELECT FROM pg_auth_members WHERE member = login.oid AND roleid::regrole::text = $1
      AND inherit_option) THEN 'does not hold ' || $1 END,
    (SELECT 'holds ' || string_agg(roleid::regrole::text, ', ') FROM pg_auth_members
      WHERE member = login.oid AND roleid::regrole::text <> $1),
    CASE WHEN EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = login.oid
      AND deptype = 'o') THEN 'owns databases or what is in them' END,
    CASE WHEN EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = login.oid
      AND deptype = 'a' AND classid <> 'pg_database'::regclass) THEN 'was granted rights by its name' END,
    CASE WHEN NOT rolsuper AND has_database_privilege(current_database(), 'CREATE') THEN 'may make schemas' END,
    CASE WHEN NOT rolsuper AND $1 = 'takt_api' AND has_database_privilege(current_database(), 'TEMPORARY')
      THEN 'may make temporary tables' END,
    CASE WHEN NOT rolsuper AND EXISTS (SELECT FROM pg_namespace WHERE nspname = 'public'
      AND has_schema_privilege(oid, 'CREATE')) THEN 'may make tables in schema public' END
  ], NULL) AS reasons,
  coalesce(pg_has_role(login.oid, (SELECT oid FROM pg_roles WHERE rolname = $1), 'SET'), false) AS "canTakeRole"
  FROM login`;
