import type pg from 'pg';

/**
 * Runs work in a transaction of a session of its own. The transaction has no idle timeout, because it may be idle while the
 * work waits for queues.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (session: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const session = await pool.connect();
  let mustEnd = true;
  try {
    await session.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    const result = await work(session);
    await session.query('COMMIT');
    mustEnd = false;
    return result;
  } finally {
    // The end of a session ends its transaction and locks.
    session.release(mustEnd);
  }
}
