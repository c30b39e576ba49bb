import type pg from 'pg';

// Exports queries about workers, audits and the database itself without loading the libraries of metrics and traces.

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

/** A run of `takt audit`. */
export interface AuditRun {
  /** End of the run. */
  readonly at: Date;
  /** Code of the only audited company; null: all. */
  readonly database: string | null;
  readonly structureVersions: number;
  /** Stored figures that differ from a recomputation; should be 0. */
  readonly differences: number;
  readonly seconds: number;
}

/** Stores the result of an audit that has just ended, and deletes those older than a year. For the owner. */
export async function noteAudit(pool: pg.Pool, run: Omit<AuditRun, 'at'>): Promise<void> {
  await pool.query(
    `WITH forgotten AS (DELETE FROM takt.audit_runs WHERE at < now() - interval '1 year')
     INSERT INTO takt.audit_runs (database, structure_versions, differences, seconds) VALUES ($1, $2, $3, $4)`,
    [run.database, run.structureVersions, run.differences, run.seconds],
  );
}

/** The latest audit, of one company or all; undefined if none. The role takt_dashboard is enough. */
export async function readLastAudit(pool: pg.Pool): Promise<AuditRun | undefined> {
  const { rows } = await pool.query<AuditRun>(
    `SELECT at, database, structure_versions::float8 AS "structureVersions", differences::float8 AS differences, seconds
     FROM takt.audit_runs ORDER BY at DESC, audit_run_id DESC LIMIT 1`,
  );
  return rows[0];
}

/** The newest event of a source. */
export interface EventSource {
  /** Code of the company. */
  readonly database: string;
  /** The `source` of its events. */
  readonly source: string;
  /** When the event's job was added to the queue. */
  readonly lastEventAt: Date;
  readonly lastEventId: string;
}

/** The sources with the newest events, of all companies, newest first. The role takt_dashboard is enough. */
export async function readEventSources(pool: pg.Pool, limit = 100): Promise<readonly EventSource[]> {
  const { rows } = await pool.query<EventSource>(
    `SELECT code AS database, source, last_event_at AS "lastEventAt", last_event_id AS "lastEventId"
     FROM takt.event_sources JOIN takt.companies USING (company_id)
     ORDER BY last_event_at DESC, code, source LIMIT $1`,
    [limit],
  );
  return rows;
}

/** A table, including its partitions. */
interface TableSize {
  /** With its schema, as in takt.companies. */
  readonly table: string;
  /** Includes TOAST. */
  readonly bytes: number;
  readonly indexBytes: number;
  /** From the server's statistics, which a crash resets. */
  readonly liveRows: number;
  /** Not yet vacuumed. */
  readonly deadRows: number;
}

export interface DatabaseSize {
  readonly databaseBytes: number;
  /** Largest first. */
  readonly tables: readonly TableSize[];
}

/** The size of the database and of its tables: Takt's and, with PostgreSQL queues, BullMQ's. Any role may query it. */
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
