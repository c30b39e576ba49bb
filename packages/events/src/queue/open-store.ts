import { parseQueueUrl } from './queue-url.js';
import type { QueueDurabilityProblem, QueueStore, QueueStoreSettings } from './store.js';

// A producer installs the driver of its store only, so each store is loaded where a URL asks for it.

/** Connects to the store; rejects when it does not answer or, on PostgreSQL, has not been migrated. */
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
  /** How long each step may wait for the store. Default 10,000. */
  readonly deadlineMs?: number;
  /** Clock of this process, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const DEFAULT_DEADLINE_MS = 10_000;

/**
 * Looks whether the store keeps what it has acknowledged: on Redis (every master of a Cluster) that the
 * append-only file is on and nothing is evicted, on PostgreSQL that its clock and ours agree. Gives what is
 * wrong, nothing if all is well. Rejects with a QueueUrlError or when the store does not answer.
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
 * Creates or upgrades BullMQ's tables in the schema `bullmq`; on Redis there is nothing to do. Safe when
 * several start at once (an advisory lock lets one go first) and when nothing is left to do. Needs a role
 * that may create schemas. Rejects with a QueueUrlError, or with what PostgreSQL says.
 */
export async function migrateQueueSchema(queueUrl: string): Promise<void> {
  const address = parseQueueUrl(queueUrl);
  if (address.store === 'redis') return;
  const { migratePostgresStore } = await import('./postgres-store.js');
  await migratePostgresStore(address);
}
