import { createTestDatabase, type TaktEnvironment, type TestDatabase } from '@takt/database/testing';
import { QUEUE_NAMES } from '@takt/events';
import {
  type EventQueue,
  migrateQueueSchema,
  openQueueBackend,
  type QueueBackend,
} from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { startTestRedis } from '@takt/test-support';

/** A migrated database for one suite, with the company TEM-NO and queues. */
export interface TestInstallation {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  /** The database and the queues as settings for a command. */
  readonly environment: TaktEnvironment;
  readonly database: TestDatabase['database'];
  readonly queues: readonly EventQueue[];
  readonly backend: QueueBackend;
  /** Returns the number of waiting jobs in both queues. */
  countWaiting(): Promise<number>;
  close(): Promise<void>;
}

/** Opens an installation with queues in the same PostgreSQL database, or in a new Redis. */
export async function openTestInstallation(
  store: 'postgres' | 'redis' = 'postgres',
): Promise<TestInstallation> {
  const { url, database, close } = await createTestDatabase();
  const redis = store === 'redis' ? await startTestRedis() : undefined;
  const queueUrl = redis?.url ?? url;
  await migrateQueueSchema(queueUrl);
  await addCompany(database, 'TEM-NO', 'Tempus Norge');
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
  const queues = QUEUE_NAMES.map((name) => backend.openQueue(name));
  return {
    databaseUrl: url,
    queueUrl,
    environment: { DATABASE_URL: url, QUEUE_URL: queueUrl },
    database,
    queues,
    backend,
    countWaiting: async () => {
      const counts = await Promise.all(queues.map((queue) => queue.getWaitingCount()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await backend.close();
      await redis?.close();
      await close();
    },
  };
}
