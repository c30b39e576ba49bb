import { startWorkerProcess } from '@takt/test-support';
import { percentile } from '../statistics.js';
import type { RunContext } from './contestant.js';
import { openQueueRun } from './queue-run.js';

export interface Freshness {
  readonly eventsPerSecond: number;
  readonly samples: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const ADD_EVERY_MS = 10;
const SAMPLE_EVERY_MS = 25;
const WARM_UP_MS = 2_000;

/**
 * Publishes one event a job at a steady rate and measures, for a sample of them, the time from the call that
 * publishes the event until its row is visible to another connection.
 */
export async function measureFreshness(
  context: RunContext,
  eventsPerSecond: number,
  durationMs: number,
): Promise<Freshness> {
  const { completions, parsed } = context.workload;
  const run = await openQueueRun(context.redisUrl);
  const worker = await startWorkerProcess({ databaseUrl: context.fresh.url, queueUrl: context.redisUrl });
  const delaysMs: number[] = [];
  const watched: Promise<void>[] = [];
  try {
    await run.queue.resume();
    const startedAt = performance.now();
    let published = 0;
    let lastSampleAt = 0;
    while (performance.now() - startedAt < durationMs && published < completions.length) {
      const elapsedMs = performance.now() - startedAt;
      const due = Math.min(completions.length, Math.floor((elapsedMs * eventsPerSecond) / 1000));
      if (due > published) {
        const jobs = completions.slice(published, due).map((data, index) => ({
          name: 'work-order-operation.completed.v1',
          data,
          opts: { jobId: `fresh-${published + index}`, removeOnComplete: true },
        }));
        const sample = parsed[due - 1];
        const publishedAt = performance.now();
        await run.queue.addBulk(jobs);
        if (sample !== undefined && elapsedMs > WARM_UP_MS && publishedAt - lastSampleAt > SAMPLE_EVERY_MS) {
          lastSampleAt = publishedAt;
          watched.push(
            waitUntilVisible(context, sample.workOrderOperationId, sample.revision).then((seenAt) => {
              delaysMs.push(seenAt - publishedAt);
            }),
          );
        }
        published = due;
      }
      await new Promise((resolve) => setTimeout(resolve, ADD_EVERY_MS));
    }
    await Promise.all(watched);
  } finally {
    await worker.stop();
    await run.close();
  }
  return {
    eventsPerSecond,
    samples: delaysMs.length,
    p50Ms: percentile(delaysMs, 0.5),
    p99Ms: percentile(delaysMs, 0.99),
    maxMs: Math.max(...delaysMs),
  };
}

const GIVE_UP_MS = 10_000;
const POLL_MS = 2;

async function waitUntilVisible({ fresh }: RunContext, operation: number, revision: number): Promise<number> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    const { rowCount } = await fresh.database.pool.query({
      name: 'is-visible',
      text: `SELECT FROM work_order_operations
             WHERE company_id = 1 AND work_order_operation_id = $1 AND revision >= $2`,
      values: [operation, revision],
    });
    if (rowCount === 1) return performance.now();
    if (performance.now() > deadline) {
      throw new Error(`operation ${operation} was not visible within ${GIVE_UP_MS} ms`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
