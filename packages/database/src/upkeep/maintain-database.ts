import type pg from 'pg';
import { withSession } from './open-session.js';

export interface MaintenanceOptions {
  /** Address of the database with the log-in of the owner. */
  readonly url: string;
  /**
   * Limits beyond which an index is rebuilt. By default an index is rebuilt if it is larger than twice its expected
   * size, and at least 1 MB larger than expected.
   */
  readonly limits?: BloatLimits;
  /** Maximum time in milliseconds that a step waits for other transactions. Default 10,000. */
  readonly lockTimeoutMs?: number;
  /** Age in seconds from which on a transaction is reported as old. Default 600. */
  readonly oldTransactionS?: number;
  /** Called before each step with a description of the step. */
  readonly onStep?: (description: string) => void;
}

export interface MaintenanceStep {
  readonly action: 'dropped' | 'vacuumed' | 'reindexed';
  /** Name of the index or table. */
  readonly name: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** The reason why the step was skipped; null if the step was done. */
  readonly problem: string | null;
}

/** A transaction that is so old that it hinders vacuum: rows that died after its start cannot be removed. */
export interface OldTransaction {
  readonly pid: number;
  readonly applicationName: string;
  readonly seconds: number;
}

export interface MaintenanceReport {
  readonly steps: readonly MaintenanceStep[];
  readonly oldTransactions: readonly OldTransaction[];
}

/** Thrown if another maintenance is running. */
export class MaintenanceError extends Error {
  override readonly name = 'MaintenanceError';
}

/** Maximum time of a step. It is long, because rebuilding one index may take hours. */
const STEP_DEADLINE_MS = 6 * 3_600_000;
const LOCK_TIMEOUT_MS = 10_000;
/**
 * Random updates leave the pages of a B-tree two thirds full, so the size of an index usually stays below twice its
 * expected size.
 */
const LIMITS: BloatLimits = { factor: 2, bytes: 2 ** 20 };

/**
 * Keeps the tables and indexes of Takt and of its queues small on one server while apps run. It drops leftovers of an interrupted
 * run, vacuums tables that have many dead rows, and rebuilds mostly empty indexes concurrently, one by one. Neither
 * reads nor writes are blocked. If a step waits longer than `lockTimeoutMs` for other transactions, it is given up and
 * reported with its reason; the remaining indexes are then left to the next run. Rejects with a MaintenanceError if
 * another maintenance is running.
 */
export async function maintainDatabase(options: MaintenanceOptions): Promise<MaintenanceReport> {
  const { url, limits = LIMITS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const { oldTransactionS = OLD_TRANSACTION_S } = options;
  const session = {
    url,
    applicationName: 'takt maintain',
    statementTimeoutMs: STEP_DEADLINE_MS,
    lockTimeoutMs,
    // On a node of a cluster, the tables are shards, which Citus hides from other sessions.
    settings: { 'citus.override_table_visibility': 'off' },
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
      // VACUUM does not truncate empty pages at the end of the table, because truncating would take a lock that blocks
      // readers.
      await run('vacuumed', name, `VACUUM (ANALYZE, TRUNCATE false) ${name}`);
    }
    for (const index of await measureIndexes(client)) {
      if (!isBloated(index, limits)) continue;
      const isDone = await run('reindexed', index.name, `REINDEX INDEX CONCURRENTLY ${index.name}`);
      if (isDone) continue;
      // The run stops here: whatever blocked this index would block the next index for as long.
      await dropLeftovers();
      break;
    }
    return { steps, oldTransactions: await findOldTransactions(client, oldTransactionS) };
  });
}

/**
 * Keeps other maintenance from starting until the session ends. Another maintenance would take an index that is being
 * built here for a leftover.
 */
async function lockOutOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('takt maintain', 0)) AS is_mine`,
  );
  if (rows[0]?.is_mine === true) return;
  throw new MaintenanceError('another takt maintain is running on this database: wait for its end');
}

/**
 * Finds indexes that an interrupted REINDEX CONCURRENTLY left behind. An index is only a leftover if nobody is building
 * an index of the table now.
 */
async function findLeftovers(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname IN ('takt', 'bullmq') AND NOT indisvalid AND relname ~ '_cc(new|old)[0-9]*$'
       AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE datname = current_database() AND relid = indrelid)
     ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** Finds tables with more dead rows than autovacuum should leave, and large tables that have never been analysed. */
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

/** Returns the reason that PostgreSQL gives; rethrows other errors. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && 'severity' in error)) throw error;
  if (error.code !== LOCK_NOT_AVAILABLE) return error.message;
  return 'a transaction that has been open for longer stands in its way: run takt maintain again when that has ended';
}

/** Returns the size in bytes of an index, or of a table with its indexes. Returns 0 if it does not exist. */
async function readBytes(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT coalesce(pg_total_relation_size(to_regclass($1)), 0) AS bytes',
    [name],
  );
  return Number(rows[0]?.bytes);
}

/** A transaction counts as old from this age on. No request, event or command of Takt runs for so long. */
const OLD_TRANSACTION_S = 600;

async function findOldTransactions(
  client: pg.Client,
  oldTransactionS: number,
): Promise<readonly OldTransaction[]> {
  const { rows } = await client.query<OldTransaction>(
    `SELECT pid, application_name AS "applicationName",
       extract(epoch FROM clock_timestamp() - xact_start)::integer AS seconds
     FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
       AND xact_start < clock_timestamp() - make_interval(secs => $1)
     ORDER BY xact_start`,
    [oldTransactionS],
  );
  return rows;
}

interface IndexSize {
  /** Qualified name, quoted if needed. */
  readonly name: string;
  readonly bytes: number;
  /** Estimated size of the index after a rebuild. */
  readonly expectedBytes: number;
}

/**
 * SQL for the valid B-trees of Takt and its queues, with the estimated size of each after a rebuild. An entry takes a
 * line pointer, a header and the column widths that ANALYZE found; pages are filled up to the fill factor of the index.
 * PostgreSQL merges entries with equal keys, but they are counted one by one here, so the estimate may be too high but
 * not too low. (pgstattuple would measure exactly, but only a superuser can install it, and it reads each index
 * completely.) Indexes of tables that were never analysed are left out.
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

export async function measureIndexes(connection: pg.Pool | pg.ClientBase): Promise<readonly IndexSize[]> {
  return (await connection.query<IndexSize>(SIZES)).rows;
}

interface BloatLimits {
  /** An index must be larger than this multiple of its estimated size. */
  readonly factor: number;
  /** An index must be larger than its estimated size by at least this number of bytes. */
  readonly bytes: number;
}

function isBloated({ bytes, expectedBytes }: IndexSize, limits: BloatLimits): boolean {
  return bytes > limits.factor * expectedBytes && bytes - expectedBytes >= limits.bytes;
}
