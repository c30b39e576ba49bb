import { parseQueueUrl } from './queue-url.js';
import type { QueueDurabilityProblem, QueueStore, QueueStoreSettings } from './store.js';

// A producer installs only the driver of its store, so each store is loaded on demand.

/** Connects to the store; rejects if it does not answer or, on PostgreSQL, has not been migrated. */
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
  /** Maximum time of each step. Default 10,000. */
  readonly deadlineMs?: number;
  /** Clock of this process, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const DEFAULT_DEADLINE_MS = 10_000;

/**
 * Checks that the store keeps acknowledged jobs: on Redis (each master of a Cluster) an append-only file and no
 * eviction; on PostgreSQL clocks that agree. Returns the problems; empty if none. Rejects with a QueueUrlError or if
 * the store does not answer.
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
 * Creates or upgrades BullMQ's tables in the schema `bullmq`; does nothing on Redis. Safe to repeat and to start
 * several times at once (an advisory lock). Needs a role that may create schemas. Rejects with a QueueUrlError, or with
 * PostgreSQL's error.
 */
export async function migrateQueueSchema(queueUrl: string): Promise<void> {
  const address = parseQueueUrl(queueUrl);
  if (address.store === 'redis') return;
  const { migratePostgresStore } = await import('./postgres-store.js');
  await migratePostgresStore(address);
}
