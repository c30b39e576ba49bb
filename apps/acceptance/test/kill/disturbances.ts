import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Disturbance } from './kill-test.js';

const LONGEST_BLOCK_MS = 200;

/** Kills a random worker, every other time one that cannot commit; then starts another. */
export function killWorkerAnyhow(disturbance: Disturbance): Promise<void> {
  return disturbance.random() < 0.5 ? killWorker(disturbance) : killBlockedWorker(disturbance);
}

/** Kills a random worker with kill -9 and starts another in its place. */
export async function killWorker({ fleet, random }: Disturbance): Promise<void> {
  const replace = await fleet.killOne(random);
  await replace();
}

/**
 * The same, but while the figures are locked, so that what the worker has claimed lately is certainly not committed: on
 * an idle server a commit takes so little time that a kill rarely falls into it.
 */
export async function killBlockedWorker({ system, fleet, random }: Disturbance): Promise<void> {
  const unlock = await lockFigures(system);
  await delay(random() * LONGEST_BLOCK_MS);
  const replace = await fleet.killOne(random);
  await unlock();
  await replace();
}

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
