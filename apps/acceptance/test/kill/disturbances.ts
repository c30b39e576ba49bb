import { waitUntil } from '@takt/test-support';
import type pg from 'pg';

const BLOCK_DEADLINE_MS = 2_000;

/**
 * Keeps everybody from writing figures, so that a batch gets into the ledger but cannot be committed; gives the
 * function that ends that.
 */
export async function lockFigures({ pool }: { readonly pool: pg.Pool }): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE takt.product_structure_versions IN EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

/** Waits until so many workers have got as far as the lock; not for long, as they may have nothing to commit. */
export async function waitForBlockedCommits(
  { pool }: { readonly pool: pg.Pool },
  workers: number,
): Promise<void> {
  await waitUntil(
    'statements wait for the figures',
    async () => {
      const { rows } = await pool.query(
        `SELECT DISTINCT pid FROM pg_locks
         WHERE NOT granted AND relation = 'takt.product_structure_versions'::regclass`,
      );
      return rows.length >= workers;
    },
    BLOCK_DEADLINE_MS,
  ).catch(() => undefined);
}

/** Ends all connections to the database of this one but those of the tests; gives how many there were. */
export async function terminateWorkerConnections(connection: pg.Pool | pg.ClientBase): Promise<number> {
  const { rows } = await connection.query<{ terminated: number }>(
    `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::integer AS terminated
     FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'
       AND application_name NOT LIKE 'takt test%'`,
  );
  return rows[0]?.terminated ?? 0;
}
