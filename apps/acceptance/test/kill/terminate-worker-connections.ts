import type pg from 'pg';

/** Ends all connections to the database of `pool` but those of the tests; gives how many there were. */
export async function terminateWorkerConnections(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ terminated: number }>(
    `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::integer AS terminated
     FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'
       AND application_name NOT LIKE 'takt test%'`,
  );
  return rows[0]?.terminated ?? 0;
}
