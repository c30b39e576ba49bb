import { parseQueueUrl } from './queue-url.js';
import type { StoreView } from './store.js';
import { withDeadline } from './with-deadline.js';

export { ruleOf } from '../event-problem.js';
export { MAX_EVENTS_PER_BATCH, QUEUE_NAMES, type QueueName } from './queue-names.js';
export {
  type JobCounts,
  LISTED_STATES,
  type ListedJob,
  type ListedState,
  type StoreView,
  type StuckJobs,
} from './store.js';

/** Queries queues without BullMQ, because loading BullMQ takes longer than most queries. */
export interface QueueView extends StoreView {
  /** Closes the connections. Never rejects. */
  readonly close: () => Promise<void>;
}

/**
 * Thrown if PostgreSQL does not have the tables of the queues yet. Its name is the name of BullMQ's error for this
 * case.
 */
export class SchemaMigrationRequiredError extends Error {
  override readonly name = 'SchemaMigrationRequiredError';
}

const DEADLINE_MS = 10_000;
const MAX_CONNECTIONS = 5;
const UNDEFINED_TABLE = '42P01';

/**
 * Opens the queues at a `redis://`, `rediss://` or `postgres://` URL for queries. Rejects with a QueueUrlError for
 * another URL. Otherwise rejects with the reason if the store does not answer or its schema has not been migrated.
 */
export async function openQueueView(queueUrl: string): Promise<QueueView> {
  const address = parseQueueUrl(queueUrl);
  // An error that belongs to no caller can be ignored, because the next call fails as well.
  const onError = () => undefined;
  if (address.store === 'redis') {
    const [{ closeRedisClient, openRedisClient }, { viewRedis }] = await Promise.all([
      import('./redis-client.js'),
      import('./redis-view.js'),
    ]);
    const client = await openRedisClient(address, onError, DEADLINE_MS);
    return { ...viewRedis(client), close: () => closeRedisClient(client, DEADLINE_MS).catch(onError) };
  }
  const [{ closePool, createPool, QUEUE_SCHEMA }, { viewPostgres }] = await Promise.all([
    import('./postgres-pool.js'),
    import('./postgres-view.js'),
  ]);
  const pool = createPool(address, {
    maxConnections: MAX_CONNECTIONS,
    connectDeadlineMs: DEADLINE_MS,
    onError,
  });
  const close = () => closePool(pool, DEADLINE_MS).catch(onError);
  try {
    const check = pool.query(`SELECT FROM ${QUEUE_SCHEMA}.migration LIMIT 1`);
    await withDeadline('looking for the queues', DEADLINE_MS, check);
  } catch (error) {
    await close();
    const isMissing = error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE;
    throw isMissing ? new SchemaMigrationRequiredError(error.message, { cause: error }) : error;
  }
  return { ...viewPostgres(pool), close };
}
