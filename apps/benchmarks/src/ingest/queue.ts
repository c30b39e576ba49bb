import { BATCH_JOB_NAME, QUEUE_PREFIX } from '@takt/events/internal';
import { waitUntil } from '@takt/test-support';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Defer } from '../harness.js';

export const QUEUE = 'work-order-operations';
const JOBS_PER_CALL = 1_000;
const DRAIN_DEADLINE_MS = 900_000;
const POLL_MS = 5;

/** Empties Redis and returns a queue that is paused, so that no worker starts early. */
export async function openPausedQueue(redisUrl: string, defer: Defer): Promise<Queue> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  defer(async () => connection.disconnect());
  await connection.flushall();
  // This gives each contestant a small append-only file at the start, as a checkpoint does for PostgreSQL. So no
  // contestant has to rewrite the file of an earlier contestant.
  await connection.bgrewriteaof();
  const isRewritten = async () =>
    (await connection.info('persistence')).includes('aof_rewrite_in_progress:0');
  await waitUntil('Redis has rewritten its append-only file', isRewritten);
  const queue = new Queue(QUEUE, { connection, prefix: QUEUE_PREFIX });
  defer(() => queue.close());
  await queue.pause();
  return queue;
}

/** Adds events to the queue, as separate jobs or as batch jobs. */
export async function fillQueue(
  queue: Queue,
  events: readonly unknown[],
  eventsPerJob: number,
): Promise<void> {
  const jobs = [];
  for (let start = 0; start < events.length; start += eventsPerJob) {
    const data = eventsPerJob === 1 ? events[start] : events.slice(start, start + eventsPerJob);
    const name = eventsPerJob === 1 ? 'work-order-operation.completed.v1' : BATCH_JOB_NAME;
    jobs.push({ name, data, opts: { jobId: `bench-${start}`, removeOnComplete: true } });
  }
  for (let start = 0; start < jobs.length; start += JOBS_PER_CALL) {
    await queue.addBulk(jobs.slice(start, start + JOBS_PER_CALL));
  }
}

/** Waits until every job is acknowledged. Throws if a job has failed. */
export async function waitUntilDrained(queue: Queue): Promise<void> {
  await waitUntil(
    'every job is acknowledged',
    async () => (await queue.getJobCountByTypes('waiting', 'active', 'delayed')) === 0,
    DRAIN_DEADLINE_MS,
    POLL_MS,
  );
  const failed = await queue.getFailedCount();
  if (failed > 0) throw new Error(`${failed} jobs failed`);
}
