import { runMigrations } from 'bullmq';
import { closePool, createPool, QUEUE_SCHEMA } from './postgres-pool.js';
import { parseQueueUrl } from './queue-url.js';
import { withDeadline } from './with-deadline.js';

const CONNECT_DEADLINE_MS = 10_000;
const MIGRATE_DEADLINE_MS = 60_000;
const CLOSE_DEADLINE_MS = 5_000;

/**
 * Creates or upgrades BullMQ's tables in the schema `bullmq`; on Redis there is nothing to do. Safe when
 * several start at once (an advisory lock lets one go first) and when nothing is left to do. Needs a role
 * that may create schemas. Rejects with a QueueUrlError, or with what PostgreSQL says.
 */
export async function migrateQueueSchema(queueUrl: string): Promise<void> {
  const address = parseQueueUrl(queueUrl);
  if (address.store === 'redis') {
    return;
  }
  const pool = createPool(address, {
    maxConnections: 1,
    connectDeadlineMs: CONNECT_DEADLINE_MS,
    // A connection that is lost here also fails the statement that was running, which rejects.
    onError: () => undefined,
  });
  try {
    const client = await pool.connect();
    try {
      await withDeadline(
        'migrating the queue schema',
        MIGRATE_DEADLINE_MS,
        runMigrations(client, QUEUE_SCHEMA),
      );
    } finally {
      client.release(true);
    }
  } finally {
    await closePool(pool, CLOSE_DEADLINE_MS);
  }
}
