import { QUEUE_NAMES, type QueueName } from '@takt/events';
import { QUEUE_PREFIX } from '@takt/events/internal';
import { createPostgresBackend, Queue, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

export interface PlainJob {
  readonly queue: QueueName;
  readonly jobId: string;
  /** The data of the job: JSON text, or any other text. */
  readonly text: string;
  readonly opts?: { readonly removeOnFail?: boolean; readonly attempts?: number };
}

/**
 * A producer that uses plain BullMQ without checks, as a producer in another language may. Writes text that
 * JSON.stringify would not write, such as 1e400, directly into the queue store. No worker may run meanwhile.
 */
export interface PlainClient {
  add(jobs: readonly PlainJob[]): Promise<void>;
  /** Adds values in one call of addBulk. Rejects with the error of the queue store. */
  addValues(queue: QueueName, values: readonly unknown[]): Promise<void>;
  /** Sets the number of workers that have ended with a claim on the job. */
  setLostWorkers(queue: QueueName, jobId: string, workers: number): Promise<void>;
  close(): Promise<void>;
}

export function openPlainClient(queueUrl: string): PlainClient {
  const store = openRawStore(queueUrl);
  const queues = new Map(QUEUE_NAMES.map((name) => [name, store.openQueue(name)]));
  return {
    add: async (jobs) => {
      for (const [name, queue] of queues) {
        const own = jobs.filter((job) => job.queue === name);
        await queue.addBulk(own.map(toBullmqJob));
        for (const { jobId, text } of own) {
          if (!survives(text)) await store.overwriteData(name, jobId, text);
        }
      }
    },
    addValues: async (name, values) => {
      await queues.get(name)?.addBulk(values.map((data) => ({ name: 'event', data, opts: {} })));
    },
    setLostWorkers: store.setLostWorkers,
    close: async () => {
      await Promise.all(Array.from(queues.values(), (queue) => queue.close()));
      await store.close();
    },
  };
}

/**
 * Returns the job for BullMQ. If BullMQ would change the text, the job contains an empty object. The text later
 * replaces this object.
 */
function toBullmqJob({ jobId, text, opts }: PlainJob) {
  return { name: 'event', data: survives(text) ? JSON.parse(text) : {}, opts: { ...opts, jobId } };
}

/** True if JSON.parse and JSON.stringify leave the text unchanged. */
function survives(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

interface RawQueue {
  addBulk(jobs: { name: string; data: unknown; opts: object }[]): Promise<unknown>;
  close(): Promise<void>;
}

/** A queue store, with plain BullMQ and direct access to the stored jobs. */
interface RawStore {
  openQueue(name: QueueName): RawQueue;
  /** Replaces the stored data of a job with a text. */
  overwriteData(queue: QueueName, jobId: string, text: string): Promise<void>;
  /** Sets the number of workers that have ended with a claim on the job. */
  setLostWorkers(queue: QueueName, jobId: string, workers: number): Promise<void>;
  close(): Promise<void>;
}

function openRawStore(queueUrl: string): RawStore {
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
    setLostWorkers: async (queue, jobId, workers) => {
      for (const counter of ['ats', 'stc']) await set(queue, jobId, counter, workers);
    },
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
    setLostWorkers: async (queue, jobId, workers) => {
      await pool.query(
        'UPDATE bullmq.job SET attempts_started = $3, stalled_count = $3 WHERE queue = $1 AND id = $2',
        [queue, jobId, workers],
      );
    },
    close: () => pool.end(),
  };
}
