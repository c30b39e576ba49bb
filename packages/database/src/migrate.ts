import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { applyFunctions, inTransaction, noteChangeOfAll, statementsIn } from './apply-functions.js';
import { isOfAwayNode } from './away-companies.js';
import { FROM_BEFORE_RELEASE, isFromBeforeRelease } from './before-release.js';
import { findOldServer } from './check-schema.js';
import { settlePolicies } from './policies.js';
import { type Migration, readFunctions, readMigrations, type SqlFile } from './read-migrations.js';
import { isCluster, keepCluster } from './spread-over-nodes.js';
import { withdrawPublicRights } from './withdraw-public-rights.js';

/**
 * Key of the advisory lock that a migrator holds ("takt" in ASCII), so that concurrent migrations wait for each other.
 */
const MIGRATION_LOCK = 0x74616b74;
const LOCK_DEADLINE_MS = 60_000;
/** Maximum time to connect. It is long, because a busy machine may be slow to accept a connection. */
const CONNECT_DEADLINE_MS = 20_000;

export interface MigrationReport {
  /** The migrations that this call applied, oldest first. */
  readonly applied: readonly string[];
  /** Names of the files with functions that this call applied because they were new or changed. */
  readonly functions: readonly string[];
  /** The version of the schema after this call: the number of the newest migration. */
  readonly version: number;
  /** SQL statements that revoke unneeded rights of PUBLIC, and that only a superuser may run. */
  readonly leftToSuperuser: readonly string[];
  /** The reason why nodes of a cluster could not be checked; undefined if all could. Nothing was to be applied. */
  readonly leftToNodes: string | undefined;
}

export interface MigrateOptions {
  /**
   * Migrations that are used instead of those in the repository. In that case no functions are applied, unless
   * `functions` is given too.
   */
  readonly migrations?: readonly Migration[];
  readonly functions?: readonly SqlFile[];
  /**
   * Functions that bring the content of tables into line with the code. They run in order, at the end of the migration
   * and under the same lock.
   */
  readonly synchronise?: readonly ((client: pg.ClientBase) => Promise<void>)[];
}

/**
 * Brings the database of `url` up to date: first the tables, then the functions, then `synchronise`. Each migration
 * commits together with its record, so the next call continues after a crash. Safe to start several times at once.
 * Throws if the database is newer than this program or from before the first release, if the text of an applied
 * migration has changed, or if another migrator holds the lock for more than a minute.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigrationReport> {
  const known = options.migrations ?? (await readMigrations());
  const functions = options.functions ?? (options.migrations === undefined ? await readFunctions() : []);
  return underLock(url, async (client) => {
    if (await isFromBeforeRelease(client)) throw new Error(FROM_BEFORE_RELEASE);
    if (!(await hasRecords(client))) await client.query(RECORDS);
    const done = await readApplied(client);
    assertSameHistory(known, done);
    const pending = known.slice(done.length);
    for (const migration of pending) await withBriefLocks(client, () => applyOne(client, migration));
    const applied = await withBriefLocks(client, () => applyFunctions(client, functions));
    let leftToNodes: string | undefined;
    await keepCluster(client, url).catch((error: unknown) => {
      if (pending.length + applied.length > 0 || !isOfAwayNode(error)) throw error;
      leftToNodes = error instanceof Error ? error.message : String(error);
    });
    if (!(await isCluster(client))) await withBriefLocks(client, () => settlePolicies(client, 'server'));
    for (const bringIntoLine of options.synchronise ?? []) await bringIntoLine(client);
    const leftToSuperuser = await withdrawPublicRights(client);
    return {
      applied: pending.map(({ name }) => name),
      functions: applied,
      version: known.length,
      leftToSuperuser,
      leftToNodes,
    };
  });
}

/** SQL that makes the tables which record the applied files. Functions are recorded by their PostgreSQL signatures. */
const RECORDS = `
  CREATE SCHEMA IF NOT EXISTS takt;
  CREATE TABLE IF NOT EXISTS takt.schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    breaks_before integer NOT NULL DEFAULT 0
  );
  -- Not ADD COLUMN IF NOT EXISTS, which asks for the table's lock before it looks.
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = 'takt.schema_migrations'::regclass AND attname = 'breaks_before') THEN
      ALTER TABLE takt.schema_migrations ADD COLUMN breaks_before integer NOT NULL DEFAULT 0;
    END IF;
  END $$;
  CREATE TABLE IF NOT EXISTS takt.schema_functions (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    signatures text[] NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

/** Returns true if the tables are there. On a cluster, even CREATE ... IF NOT EXISTS needs all nodes. */
async function hasRecords(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attname = 'breaks_before' AND attrelid = to_regclass('takt.schema_migrations')
       AND to_regclass('takt.schema_functions') IS NOT NULL`,
  );
  return rowCount === 1;
}

async function underLock<Result>(url: string, task: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'takt migrate',
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const oldServer = await findOldServer(client);
    if (oldServer !== undefined) throw new Error(oldServer);
    await client.query(`SET lock_timeout = ${LOCK_DEADLINE_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]).catch((error: unknown) => {
      throw new Error(
        `another migration has been running for ${LOCK_DEADLINE_MS / 1000} s: wait for it or end it`,
        { cause: error },
      );
    });
    await client.query('SET lock_timeout = 0');
    return await task(client);
  } finally {
    // The end of the session releases the advisory lock.
    await client.end();
  }
}

/**
 * Maximum time that a step waits for a lock before it is retried. It is short, because apps queue up behind a lock that
 * a migration waits for.
 */
const BRIEF_LOCK_TIMEOUT_MS = 400;
const PAUSE_BETWEEN_ATTEMPTS_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a step of a migration, and retries the step if a lock was not available at once. The holder of the lock, such as
 * an audit, may need minutes, and apps must not queue up for so long.
 */
async function withBriefLocks<Result>(client: pg.Client, step: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + LOCK_DEADLINE_MS;
  await client.query(`SET lock_timeout = ${BRIEF_LOCK_TIMEOUT_MS}`);
  for (;;) {
    try {
      const result = await step();
      await client.query('SET lock_timeout = 0');
      return result;
    } catch (error) {
      if (!isLockTimeout(error) || Date.now() > deadline) throw error;
      await setTimeout(PAUSE_BETWEEN_ATTEMPTS_MS);
    }
  }
}

/** Returns true if a lock was not available. The error of a step has PostgreSQL's error as its cause. */
function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

async function readApplied(client: pg.Client): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'SELECT number, name, checksum FROM takt.schema_migrations ORDER BY number',
  );
  return rows;
}

function assertSameHistory(known: readonly Migration[], done: readonly AppliedMigration[]): void {
  if (done.length > known.length) {
    throw new Error(
      `the database has schema version ${done.length}, this program knows ${known.length}: start a newer Takt`,
    );
  }
  for (const [index, applied] of done.entries()) {
    const own = known[index];
    if (own?.name !== applied.name || own.checksum !== applied.checksum) {
      throw new Error(
        `migration ${applied.name} was changed after it was applied: restore its text and add a new migration instead`,
      );
    }
  }
}

function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  const { number, name, sql, checksum, breaksBefore } = migration;
  return inTransaction(client, async () => {
    for (const statement of statementsIn(sql)) await client.query(statement);
    await client.query(
      'INSERT INTO takt.schema_migrations (number, name, checksum, breaks_before) VALUES ($1, $2, $3, $4)',
      [number, name, checksum, breaksBefore],
    );
    await noteChangeOfAll(client);
  }).catch((cause: unknown) => {
    throw new Error(`migration ${name} failed and was rolled back`, { cause });
  });
}
