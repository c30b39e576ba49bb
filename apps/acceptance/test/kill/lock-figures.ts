import type { Arena } from './open-arena.js';

/**
 * Keeps everybody from writing figures, so that a batch gets into the ledger but cannot be committed; gives the
 * function that ends that.
 */
export async function lockFigures({ pool }: Pick<Arena, 'pool'>): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE takt.product_structure_versions IN EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}
