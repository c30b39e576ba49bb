import { QUEUE_PREFIX, type QueueName } from '@takt/events';
import { createPostgresBackend, Queue, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

export interface RawQueue {
  addBulk(jobs: { name: string; data: unknown; opts: object }[]): Promise<unknown>;
  close(): Promise<void>;
}

/** BullMQ as it comes, and ways to change its jobs under its feet. */
export interface RawStore {
  openQueue(name: QueueName): RawQueue;
  /** Puts a text where the JSON of a job's data stands. */
  overwriteData(queue: QueueName, jobId: string, text: string): Promise<void>;
  /** Makes a job look as if it had been delivered so often. */
  setDeliveries(queue: QueueName, jobId: string, deliveries: number): Promise<void>;
  close(): Promise<void>;
}

export function openRawStore(queueUrl: string): RawStore {
  return queueUrl.startsWith('redis') ? openOnRedis(queueUrl) : openOnPostgres(queueUrl);
}

function openOnRedis(queueUrl: string): RawStore {
  const connection = new Redis(queueUrl, { maxRetriesPerRequest: null });
  const set = async (queue: QueueName, jobId: string, field: string, value: string | number) => {
    await connection.hset(`${QUEUE_PREFIX}:${queue}:${jobId}`, field, value);
  };
  return {
    openQueue: (name) => new Queue(name, { connection, prefix: QUEUE_PREFIX }),
    overwriteData: (queue, jobId, text) => set(queue, jobId, 'data', text),
    setDeliveries: (queue, jobId, deliveries) => set(queue, jobId, 'ats', deliveries),
    close: async () => {
      await connection.quit();
    },
  };
}

function openOnPostgres(queueUrl: string): RawStore {
  const pool = new pg.Pool({ connectionString: queueUrl, max: 1 });
  const bullmq = withBackend(createPostgresBackend);
  return {
    openQueue: (name) => new bullmq.Queue(name, { connection: { connectionString: queueUrl, max: 2 } }),
    overwriteData: async (queue, jobId, text) => {
      await pool.query('UPDATE bullmq.job SET data = $3::jsonb WHERE queue = $1 AND id = $2', [
        queue,
        jobId,
        text,
      ]);
    },
    setDeliveries: async (queue, jobId, deliveries) => {
      await pool.query('UPDATE bullmq.job SET attempts_started = $3 WHERE queue = $1 AND id = $2', [
        queue,
        jobId,
        deliveries,
      ]);
    },
    close: () => pool.end(),
  };
}
