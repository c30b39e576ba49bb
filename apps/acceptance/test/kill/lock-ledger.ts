import type { Arena } from './open-arena.js';

/** Keeps everybody from writing to the ledger; gives the function that ends that. */
export async function lockLedger({ pool }: Pick<Arena, 'pool'>): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE takt.work_order_operations IN EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}
