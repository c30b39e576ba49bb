import { createTestDatabase, type TaktEnvironment, type TestDatabase } from '@takt/database/testing';
import { QUEUE_NAMES } from '@takt/events';
import {
  type EventQueue,
  migrateQueueSchema,
  openQueueBackend,
  type QueueBackend,
  ruleOf,
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
  /** Records an event as rejected for a reason, and returns its id. */
  reject(data: unknown, reason: string): Promise<number>;
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
    reject: async (data, reason) => {
      const { rows } = await database.pool.query<{ id: number }>(
        `INSERT INTO takt.rejections (company_id, content_sha256, queue, event_id, data, reason, rule)
         VALUES (0, sha256(convert_to($1, 'UTF8')), 'work-order-operations', $1::json ->> 'id', $1, $2, $3)
         RETURNING rejection_id::float8 AS id`,
        [JSON.stringify(data), reason, ruleOf(reason)],
      );
      return rows[0]?.id ?? 0;
    },
    close: async () => {
      await backend.close();
      await redis?.close();
      await close();
    },
  };
}
