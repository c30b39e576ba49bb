import { BATCH_JOB_NAME, QUEUE_PREFIX } from '@takt/events';
import { waitUntil } from '@takt/test-support';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

export const QUEUE = 'work-order-operations';
/** The line with which a contestant says that it takes jobs. */
export const READY = 'taking jobs';
const ADD_AT_ONCE = 1_000;
const POLL_MS = 5;
const DRAIN_DEADLINE_MS = 900_000;

interface QueueRun {
  readonly queue: Queue;
  /** Puts all events in while the queue is paused, so that no contestant starts early. */
  fill(events: readonly unknown[], eventsPerJob: number): Promise<void>;
  /** Lets the workers go and gives the seconds until every job is acknowledged. Throws where a job failed. */
  drain(): Promise<number>;
  close(): Promise<void>;
}

/** An empty, paused queue. */
export async function openQueueRun(redisUrl: string): Promise<QueueRun> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  await connection.flushall();
  // As PostgreSQL begins with a checkpoint: no contestant has to write the log of those before it anew.
  await connection.bgrewriteaof();
  const isWritten = async () => (await connection.info('persistence')).includes('aof_rewrite_in_progress:0');
  await waitUntil('the log of Redis is written anew', isWritten);
  const queue = new Queue(QUEUE, { connection, prefix: QUEUE_PREFIX });
  await queue.pause();
  return {
    queue,
    fill: async (events, eventsPerJob) => {
      const jobs = toJobs(events, eventsPerJob);
      for (let start = 0; start < jobs.length; start += ADD_AT_ONCE) {
        await queue.addBulk(jobs.slice(start, start + ADD_AT_ONCE));
      }
    },
    drain: async () => {
      const startedAt = performance.now();
      await queue.resume();
      while ((await queue.getJobCountByTypes('waiting', 'active', 'delayed')) > 0) {
        if (performance.now() - startedAt > DRAIN_DEADLINE_MS) {
          throw new Error('the queue was not drained in time');
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      const seconds = (performance.now() - startedAt) / 1000;
      const failed = await queue.getFailedCount();
      if (failed > 0) throw new Error(`${failed} jobs failed`);
      return seconds;
    },
    close: async () => {
      await queue.close();
      connection.disconnect();
    },
  };
}

function toJobs(events: readonly unknown[], eventsPerJob: number) {
  const jobs = [];
  for (let start = 0; start < events.length; start += eventsPerJob) {
    const data = eventsPerJob === 1 ? events[start] : events.slice(start, start + eventsPerJob);
    const name = eventsPerJob === 1 ? 'work-order-operation.completed.v1' : BATCH_JOB_NAME;
    jobs.push({ name, data, opts: { jobId: `bench-${start}`, removeOnComplete: true } });
  }
  return jobs;
}
