import type pg from 'pg';

/** A table, its partitions together. */
export interface TableSize {
  /** With its schema, as in takt.companies. */
  readonly table: string;
  /** Rows, with what is kept beside them because it is long. */
  readonly bytes: number;
  readonly indexBytes: number;
  /** As the server's statistics have it, which begin anew after a crash. */
  readonly liveRows: number;
  /** What vacuum has not yet cleared away. */
  readonly deadRows: number;
}

export interface DatabaseSize {
  readonly databaseBytes: number;
  /** The largest first. */
  readonly tables: readonly TableSize[];
}

/** How much room the database takes, and what in it: Takt's tables and, on PostgreSQL, the queues'. Any role may ask. */
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
