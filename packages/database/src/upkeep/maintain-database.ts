import type pg from 'pg';
import { withSession } from './open-session.js';

export interface MaintenanceOptions {
  /** Of the owner of the database. */
  readonly url: string;
  /** When an index is made anew. By default at twice what it would take then, and 1 MB more. */
  readonly limits?: BloatLimits;
  /** How long a step waits for the transactions of others. Default 10,000. */
  readonly lockTimeoutMs?: number;
  /** Told before each step. */
  readonly onStep?: (description: string) => void;
}

export interface MaintenanceStep {
  readonly action: 'dropped' | 'vacuumed' | 'reindexed';
  /** Of the index or table. */
  readonly name: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Why it was not done; null where it was. */
  readonly problem: string | null;
}

/** A transaction that keeps vacuum from removing what has changed since it began. */
export interface OldTransaction {
  readonly pid: number;
  readonly applicationName: string;
  readonly seconds: number;
}

export interface MaintenanceReport {
  readonly steps: readonly MaintenanceStep[];
  readonly oldTransactions: readonly OldTransaction[];
}

/** Somebody else does the same at the moment. */
export class MaintenanceError extends Error {
  override readonly name = 'MaintenanceError';
}

/** One index may take hours. */
const STEP_DEADLINE_MS = 6 * 3_600_000;
const LOCK_TIMEOUT_MS = 10_000;
/** In the steady state of random updates a B-tree has pages that are two thirds full: twice is beyond that. */
const LIMITS: BloatLimits = { factor: 2, bytes: 2 ** 20 };

/**
 * Keeps tables and indexes of Takt and its queues small, beside workers and readers: drops what an interrupted run has left
 * behind, vacuums tables with many dead rows, and makes anew, one by one and concurrently, indexes that are mostly empty.
 * No step keeps anybody from reading or writing. One that has to wait for a transaction of others longer than
 * `lockTimeoutMs` is given up, and told in its step; further indexes are then left for the next run.
 *
 * Rejects with a MaintenanceError where another one is under way.
 */
export async function maintainDatabase(options: MaintenanceOptions): Promise<MaintenanceReport> {
  const { url, limits = LIMITS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const session = {
    url,
    applicationName: 'takt maintain',
    statementTimeoutMs: STEP_DEADLINE_MS,
    lockTimeoutMs,
  };
  return withSession(session, async (client) => {
    await lockOutOthers(client);
    const steps: MaintenanceStep[] = [];
    const run = async (action: MaintenanceStep['action'], name: string, statement: string) => {
      options.onStep?.(statement);
      steps.push(await runStep(client, { action, name, statement }));
      return steps.at(-1)?.problem === null;
    };
    const dropLeftovers = async () => {
      for (const name of await findLeftovers(client)) {
        await run('dropped', name, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      }
    };
    await dropLeftovers();
    for (const name of await findTablesToVacuum(client)) {
      // To cut off empty pages at the end of a table would take a lock that keeps readers out.
      await run('vacuumed', name, `VACUUM (ANALYZE, TRUNCATE false) ${name}`);
    }
    for (const index of await measureIndexes(client)) {
      if (!isBloated(index, limits)) continue;
      const isDone = await run('reindexed', index.name, `REINDEX INDEX CONCURRENTLY ${index.name}`);
      if (isDone) continue;
      // What stands in the way of one stands in the way of the next, which would wait as long.
      await dropLeftovers();
      break;
    }
    return { steps, oldTransactions: await findOldTransactions(client) };
  });
}

/** Until the session ends: what one has begun to build looks to another like something left behind. */
async function lockOutOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('takt maintain', 0)) AS is_mine`,
  );
  if (rows[0]?.is_mine === true) return;
  throw new MaintenanceError('another takt maintain is under way on this database: let it end');
}

/** Indexes that REINDEX CONCURRENTLY made or replaced and did not come to remove; none that anybody is building. */
async function findLeftovers(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname IN ('takt', 'bullmq') AND NOT indisvalid AND relname ~ '_cc(new|old)[0-9]*$'
       AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE relid = indrelid)
     ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** Those with as many dead rows as autovacuum should not have let come together, and large ones never analysed. */
async function findTablesToVacuum(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, relname) AS name
     FROM pg_stat_user_tables
     WHERE schemaname IN ('takt', 'bullmq')
       AND (n_dead_tup > 1000 + 0.05 * n_live_tup OR n_live_tup > 1000 AND coalesce(last_analyze, last_autoanalyze) IS NULL)
     ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

interface Step {
  readonly action: MaintenanceStep['action'];
  readonly name: string;
  readonly statement: string;
}

async function runStep(client: pg.Client, { action, name, statement }: Step): Promise<MaintenanceStep> {
  const bytesBefore = await readBytes(client, name);
  const problem = await client.query(statement).then(
    () => null,
    (error: unknown) => problemOf(error),
  );
  return { action, name, bytesBefore, bytesAfter: await readBytes(client, name), problem };
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Passes on what is no answer of PostgreSQL to this step. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && 'severity' in error)) throw error;
  if (error.code !== LOCK_NOT_AVAILABLE) return error.message;
  return 'a transaction that has been open for longer stands in its way: run takt maintain again when that has ended';
}

/** Of an index, or a table with its indexes; 0 where there is none. */
async function readBytes(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT coalesce(pg_total_relation_size(to_regclass($1)), 0) AS bytes',
    [name],
  );
  return Number(rows[0]?.bytes);
}

/** Older than any request, event or command is. */
const OLD_TRANSACTION_S = 600;

async function findOldTransactions(client: pg.Client): Promise<readonly OldTransaction[]> {
  const { rows } = await client.query<OldTransaction>(
    `SELECT pid, application_name AS "applicationName",
       extract(epoch FROM clock_timestamp() - xact_start)::integer AS seconds
     FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
       AND xact_start < clock_timestamp() - make_interval(secs => $1)
     ORDER BY xact_start`,
    [OLD_TRANSACTION_S],
  );
  return rows;
}

interface IndexSize {
  /** With its schema, quoted where that is needed. */
  readonly name: string;
  readonly bytes: number;
  /** As it would be, about, if it were made anew. */
  readonly expectedBytes: number;
}

/**
 * Valid B-trees of Takt and its queues, with what they would take if they were made anew: an entry is a line pointer, a
 * header and the widths that ANALYZE has found, and pages are filled as far as the index says. Entries that PostgreSQL
 * merges, of equal keys, are counted singly: it may expect too much, and not too little. (pgstattuple would measure, but
 * takes a superuser to install and reads the whole of each index.) An index of a table that was never analysed is left out.
 */
const SIZES = `
  WITH index_column AS (
    SELECT indexrelid, coalesce(
      CASE WHEN type.typlen > 0 THEN type.typlen END,
      (SELECT avg_width FROM pg_stats
       WHERE schemaname = nspname AND tablename = CASE WHEN indkey[attnum - 1] = 0 THEN index.relname ELSE class.relname END
         AND attname = CASE WHEN indkey[attnum - 1] = 0 THEN attribute.attname ELSE
           (SELECT attname FROM pg_attribute WHERE attrelid = indrelid AND attnum = indkey[attribute.attnum - 1]) END)
      ) AS width
    FROM pg_index
    JOIN pg_class index ON index.oid = indexrelid
    JOIN pg_class class ON class.oid = indrelid
    JOIN pg_namespace ON pg_namespace.oid = class.relnamespace
    JOIN pg_attribute attribute ON attrelid = indexrelid AND attnum > 0
    JOIN pg_type type ON type.oid = atttypid
    WHERE nspname IN ('takt', 'bullmq')
  ), index_width AS (
    -- One that is not known makes the whole unknown.
    SELECT indexrelid, CASE WHEN count(width) = count(*) THEN sum(width) END AS width
    FROM index_column GROUP BY indexrelid
  )
  SELECT format('%I.%I', nspname, relname) AS name, pg_relation_size(index.oid)::float8 AS bytes,
    8192 * (2 + ceil(greatest(reltuples, 0) * (4 + 8 * ceil((8 + width) / 8.0))
      / (8152 * coalesce(substring(array_to_string(reloptions, ',') FROM 'fillfactor=(\\d+)')::numeric, 90) / 100)))::float8
      AS "expectedBytes"
  FROM pg_index
  JOIN index_width USING (indexrelid)
  JOIN pg_class index ON index.oid = indexrelid
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  JOIN pg_am ON pg_am.oid = relam
  WHERE amname = 'btree' AND relkind = 'i' AND indisvalid AND reltuples >= 0 AND width IS NOT NULL
  ORDER BY name`;

/** What every B-tree takes, and should take. */
export async function measureIndexes(connection: pg.Pool | pg.ClientBase): Promise<readonly IndexSize[]> {
  return (await connection.query<IndexSize>(SIZES)).rows;
}

interface BloatLimits {
  /** So many times what it would take anew. */
  readonly factor: number;
  /** And at least so much more. */
  readonly bytes: number;
}

/** Whether it pays to make an index anew. */
function isBloated({ bytes, expectedBytes }: IndexSize, limits: BloatLimits): boolean {
  return bytes > limits.factor * expectedBytes && bytes - expectedBytes >= limits.bytes;
}
