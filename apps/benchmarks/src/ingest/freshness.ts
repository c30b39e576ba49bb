import { startWorkerProcess, waitUntil } from '@takt/test-support';
import { percentile } from '../harness.js';
import type { RunContext } from './measure.js';
import type { Producer } from './producers.js';
import { openQueueRun } from './queue-run.js';

export interface Freshness {
  readonly eventsPerSecond: number;
  readonly samples: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const ADD_EVERY_MS = 10;
const WARM_UP_MS = 2_000;

/**
 * Publishes one event a job, or what a producer makes of single events, at a steady rate, whether or not what came before
 * is through, and gives the time from the call that publishes an event until the
 * commit of the transaction that holds it, for every event after a warm-up. PostgreSQL keeps the time of each commit
 * (track_commit_timestamp) by the same clock; to watch for rows from outside while they come would be a load of its own.
 */
export async function measureFreshness(
  { workload, fresh, redisUrl }: RunContext,
  eventsPerSecond: number,
  openProducer?: (context: RunContext) => Promise<Producer>,
): Promise<Freshness> {
  const run = await openQueueRun(redisUrl);
  const producer = await openProducer?.({ workload, fresh, redisUrl });
  const worker = await startWorkerProcess({ databaseUrl: fresh.url, queueUrl: redisUrl });
  try {
    await run.queue.resume();
    const publishedAt =
      producer === undefined
        ? await publishSteadily(run.queue, workload.completions, eventsPerSecond)
        : await sendSteadily(producer, workload.completions, eventsPerSecond);
    const isDone = async () => (await run.queue.getJobCountByTypes('waiting', 'active', 'delayed')) === 0;
    await waitUntil('every job is acknowledged', isDone);
    const committedAt = await readCommits({ workload, fresh, redisUrl });
    const warmAt = (publishedAt[0] ?? 0) + WARM_UP_MS;
    const delaysMs = publishedAt.flatMap((at, index) => {
      const committed = committedAt[index];
      return at < warmAt || committed === undefined ? [] : [committed - at];
    });
    return {
      eventsPerSecond,
      samples: delaysMs.length,
      p50Ms: percentile(delaysMs, 0.5),
      p99Ms: percentile(delaysMs, 0.99),
      maxMs: percentile(delaysMs, 1),
    };
  } finally {
    await worker.stop();
    await producer?.close();
    await run.close();
  }
}

/**
 * Sends each event by itself when it is due, and gives when that was, in ms since the epoch: what waits for a connection
 * has been on its way since then.
 */
async function sendSteadily(
  producer: Producer,
  events: readonly unknown[],
  eventsPerSecond: number,
): Promise<readonly number[]> {
  const startedAt = performance.now();
  const dueAt = events.map((_, index) => startedAt + (index * 1000) / eventsPerSecond);
  const calls: Promise<void>[] = [];
  while (calls.length < events.length) {
    while ((dueAt[calls.length] ?? Number.POSITIVE_INFINITY) <= performance.now()) {
      calls.push(producer.send(events.slice(calls.length, calls.length + 1)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(calls);
  return dueAt.map((at) => performance.timeOrigin + at);
}

/** Gives when each event was published, in ms since the epoch. */
async function publishSteadily(
  queue: Awaited<ReturnType<typeof openQueueRun>>['queue'],
  events: readonly unknown[],
  eventsPerSecond: number,
): Promise<readonly number[]> {
  const publishedAt: number[] = [];
  const startedAt = performance.now();
  while (publishedAt.length < events.length) {
    const published = publishedAt.length;
    const due = Math.floor(((performance.now() - startedAt) * eventsPerSecond) / 1000);
    const jobs = events.slice(published, due).map((data, index) => ({
      name: 'work-order-operation.completed.v1',
      data,
      opts: { jobId: `fresh-${published + index}`, removeOnComplete: true },
    }));
    const now = performance.timeOrigin + performance.now();
    publishedAt.push(...jobs.map(() => now));
    if (jobs.length > 0) await queue.addBulk(jobs);
    await new Promise((resolve) => setTimeout(resolve, ADD_EVERY_MS));
  }
  return publishedAt;
}

/** When each event was committed, in ms since the epoch; undefined where a newer revision took its place, or a duplicate. */
async function readCommits({ workload, fresh }: RunContext): Promise<readonly (number | undefined)[]> {
  const { rows } = await fresh.database.pool.query<{ revision: string; committed: number }>(
    `SELECT work_order_operation_id || '/' || revision AS revision,
       (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS committed
     FROM takt.work_order_operations`,
  );
  const commits = new Map(rows.map(({ revision, committed }) => [revision, committed]));
  return workload.parsed.map(({ workOrderOperationId, revision }) => {
    const key = `${workOrderOperationId}/${revision}`;
    const committed = commits.get(key);
    // Of a duplicate only the first has an effect.
    commits.delete(key);
    return committed;
  });
}
