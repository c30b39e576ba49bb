import type pg from 'pg';

// This file exports queries about workers, audits and the database itself, so that they can be used without loading the
// libraries of metrics and traces.

export {
  FLOW_RANGES,
  type FlowRange,
  type FlowSlot,
  RECENT_SECONDS,
  type RecentFlow,
  readFlowHistory,
  readRecentFlow,
} from './flow-history.js';
export {
  OUTCOMES,
  type Outcome,
  type Outcomes,
  type QueueProgress,
  readWorkerReports,
  startWorkerReports,
  type TakenEvent,
  type WorkerReport,
  type WorkerReports,
} from './worker-reports.js';

/** The result of one run of `takt audit`. */
export interface AuditRun {
  /** Time at which the run ended. */
  readonly at: Date;
  /** Code of the company that was audited; null if all companies were audited. */
  readonly database: string | null;
  readonly structureVersions: number;
  /** Number of stored figures that differ from a recomputation. It should be 0. */
  readonly differences: number;
  readonly seconds: number;
}

/**
 * Stores the result of an audit that has just ended, and deletes results that are older than a year. Only the owner may
 * call it.
 */
export async function noteAudit(pool: pg.Pool, run: Omit<AuditRun, 'at'>): Promise<void> {
  await pool.query(
    `WITH forgotten AS (DELETE FROM takt.audit_runs WHERE at < now() - interval '1 year')
     INSERT INTO takt.audit_runs (database, structure_versions, differences, seconds) VALUES ($1, $2, $3, $4)`,
    [run.database, run.structureVersions, run.differences, run.seconds],
  );
}

/**
 * Returns the latest audit of one company, or of all companies; undefined if there is none. The role takt_dashboard is
 * enough.
 */
export async function readLastAudit(pool: pg.Pool): Promise<AuditRun | undefined> {
  const { rows } = await pool.query<AuditRun>(
    `SELECT at, database, structure_versions::float8 AS "structureVersions", differences::float8 AS differences, seconds
     FROM takt.audit_runs ORDER BY at DESC, audit_run_id DESC LIMIT 1`,
  );
  return rows[0];
}

export interface EventSource {
  readonly database: string;
  /** The value of the attribute `source` in the events. */
  readonly source: string;
  /** Time at which the job of the newest event was added to the queue. */
  readonly lastEventAt: Date;
  readonly lastEventId: string;
}

/**
 * Returns the sources that have the newest events, of all companies, newest first. The role takt_dashboard is enough.
 */
export async function readEventSources(pool: pg.Pool, limit = 100): Promise<readonly EventSource[]> {
  const { rows } = await pool.query<EventSource>(
    `SELECT code AS database, source, last_event_at AS "lastEventAt", last_event_id AS "lastEventId"
     FROM takt.event_sources JOIN takt.companies USING (company_id)
     ORDER BY last_event_at DESC, code, source LIMIT $1`,
    [limit],
  );
  return rows;
}

/** The size of a table, including its partitions. */
interface TableSize {
  /** Name of the table with its schema, as in takt.companies. */
  readonly table: string;
  /** Size in bytes, including TOAST. */
  readonly bytes: number;
  readonly indexBytes: number;
  /** Number of live rows by the statistics of the server, which are reset by a crash. */
  readonly liveRows: number;
  /** Number of dead rows that have not been vacuumed yet. */
  readonly deadRows: number;
}

export interface DatabaseSize {
  readonly databaseBytes: number;
  /** The tables, largest first. */
  readonly tables: readonly TableSize[];
}

/**
 * Returns the size of the database and the sizes of its tables: the tables of Takt and, if the queues are in
 * PostgreSQL, the tables of BullMQ. Any role may query it.
 */
export async function readDatabaseSize(pool: pg.Pool): Promise<DatabaseSize> {
  const { rows } = await pool.query<{ bytes: number }>(
    'SELECT pg_database_size(current_database())::float8 AS bytes',
  );
  const tables = await pool.query<TableSize>(
    `SELECT schema_name || '.' || relname AS table, sum(pg_table_size(relid))::float8 AS bytes,
       sum(pg_indexes_size(relid))::float8 AS "indexBytes", sum(n_live_tup)::float8 AS "liveRows",
       sum(n_dead_tup)::float8 AS "deadRows"
     FROM (SELECT relid, n_live_tup, n_dead_tup, coalesce(pg_partition_root(relid), relid) AS root
       FROM pg_stat_user_tables) AS part
     JOIN (SELECT oid, relname, relnamespace::regnamespace::text AS schema_name FROM pg_class) AS whole
       ON whole.oid = part.root
     GROUP BY 1 ORDER BY sum(pg_table_size(relid)) + sum(pg_indexes_size(relid)) DESC, 1`,
  );
  return { databaseBytes: rows[0]?.bytes ?? 0, tables: tables.rows };
}
