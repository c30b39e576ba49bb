import { isPgPool, type PgPool } from 'bullmq';
import { Pool, TypeOverrides, types } from 'pg';
import { parseJsonb } from './parse-jsonb.js';
import type { PostgresAddress } from './queue-url.js';
import { withDeadline } from './with-deadline.js';

/** Schema of BullMQ's tables. */
export const QUEUE_SCHEMA = 'bullmq';

const KEEP_ALIVE_MS = 10_000;
// No statement of BullMQ takes long; on a link that died silently the client must not wait for ever.
const STATEMENT_TIMEOUT_MS = 55_000;
const QUERY_TIMEOUT_MS = 60_000;

export interface PoolSettings {
  readonly maxConnections: number;
  readonly connectDeadlineMs: number;
  readonly onError: (error: Error) => void;
}

/** A pool of node-postgres that BullMQ takes as one of its connections; their declared types do not meet. */
export type QueuePool = Pool & PgPool;

/** A pool whose sessions look into BullMQ's schema. It connects when it is first used. */
export function createPool(address: PostgresAddress, settings: PoolSettings): QueuePool {
  const queueTypes = new TypeOverrides();
  queueTypes.setTypeParser(types.builtins.JSONB, parseJsonb);
  const pool = new Pool({
    types: queueTypes,
    connectionString: address.connectionString,
    options: `${address.options} -c search_path=${QUEUE_SCHEMA}`.trim(),
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectDeadlineMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // A worker may sit in LISTEN for an hour; without this it would not notice that the link is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  pool.on('error', settings.onError);
  // A client that is checked out reports errors itself; without a listener they would end the process.
  pool.on('connect', (client) => client.on('error', settings.onError));
  if (!isPgPool(pool)) {
    throw new TypeError('this version of BullMQ does not take a pool of node-postgres');
  }
  return pool;
}

/** Ends the pool once its clients are back, or rejects at the deadline. */
export async function closePool(pool: Pool, deadlineMs: number): Promise<void> {
  await withDeadline('closing the connections to PostgreSQL', deadlineMs, pool.end());
}
