import { parseQueueUrl } from './queue-url.js';
import type { QueueDurabilityProblem, QueueStore, QueueStoreSettings } from './store.js';

// A producer installs only the driver of its own store, so the module of a store is loaded only when it is needed.

/**
 * Connects to the store. Rejects if the store does not answer. On PostgreSQL it also rejects if the schema has not been
 * migrated.
 */
export async function openQueueStore(queueUrl: string, settings: QueueStoreSettings): Promise<QueueStore> {
  const address = parseQueueUrl(queueUrl);
  if (address.store === 'redis') {
    const { openRedisStore } = await import('./redis-store.js');
    return openRedisStore(address, settings);
  }
  const { openPostgresStore } = await import('./postgres-store.js');
  return openPostgresStore(address, settings);
}

export interface QueueDurabilityOptions {
  /** Maximum time of each step, in milliseconds. Default 10,000. */
  readonly deadlineMs?: number;
  /** Clock of this process, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const DEFAULT_DEADLINE_MS = 10_000;

/**
 * Checks that the store does not lose acknowledged jobs. Redis (each master of a Cluster) needs an append-only file and
 * must not evict keys. For PostgreSQL the clocks must agree. Returns the problems; the list is empty if there are none.
 * Rejects with a QueueUrlError if the URL is unusable, and with another error if the store does not answer.
 */
export async function checkQueueDurability(
  queueUrl: string,
  { deadlineMs = DEFAULT_DEADLINE_MS, now = Date.now }: QueueDurabilityOptions = {},
): Promise<readonly QueueDurabilityProblem[]> {
  const address = parseQueueUrl(queueUrl);
  if (address.store === 'redis') {
    const { checkRedisDurability } = await import('./redis-client.js');
    return checkRedisDurability(address, deadlineMs);
  }
  const { checkPostgresClock } = await import('./postgres-pool.js');
  return checkPostgresClock(address, deadlineMs, now);
}

/**
 * Creates or upgrades BullMQ's tables in the schema `bullmq`. Does nothing on Redis. The function is safe to repeat,
 * and an advisory lock makes it safe to run several times at once. It needs a role that may create schemas. Rejects
 * with a QueueUrlError or with PostgreSQL's error.
 */
export async function migrateQueueSchema(queueUrl: string): Promise<void> {
  const address = parseQueueUrl(queueUrl);
  if (address.store === 'redis') return;
  const { migratePostgresStore } = await import('./postgres-store.js');
  await migratePostgresStore(address);
}
