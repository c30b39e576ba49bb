import { setTimeout as delay } from 'node:timers/promises';
import { startApp } from '@takt/database/testing';
import { percentile, type Row } from '../harness.js';
import type { RunContext } from './measure.js';
import type { Producer } from './producers.js';
import { openPausedQueue, waitUntilDrained } from './queue.js';

const SEND_EVERY_MS = 2;
const WARM_UP_MS = 2_000;

/**
 * Sends single events at a steady rate, without waiting for earlier events (open loop). Returns for each event the time
 * in ms from when the event was due until its commit. Events of the warm-up are left out. The commit times come from
 * PostgreSQL (track_commit_timestamp), because polling the rows would add load.
 */
export async function measureFreshness(
  context: RunContext,
  eventsPerSecond: number,
  openProducer: (context: RunContext) => Promise<Producer>,
): Promise<Row> {
  const { workload, fresh, redisUrl, defer } = context;
  const queue = await openPausedQueue(redisUrl, defer);
  const producer = await openProducer(context);
  const worker = await startApp('worker', { databaseUrl: fresh.url, queueUrl: redisUrl });
  defer(() => worker.stop());
  await queue.resume();
  const startedAt = performance.now();
  const everyMs = 1_000 / eventsPerSecond;
  const { completions } = workload;
  const calls: Promise<void>[] = [];
  for (let sent = 0; sent < completions.length; ) {
    const due = Math.min(completions.length, Math.floor((performance.now() - startedAt) / everyMs) + 1);
    if (due > sent) calls.push(producer.send(completions.slice(sent, due)));
    sent = due;
    await delay(SEND_EVERY_MS);
  }
  await Promise.all(calls);
  await waitUntilDrained(queue);
  const committedAt = await readCommits(context);
  const delaysMs = committedAt.flatMap((committed, index) => {
    const dueMs = index * everyMs;
    return committed === undefined || dueMs < WARM_UP_MS
      ? []
      : [committed - (performance.timeOrigin + startedAt + dueMs)];
  });
  return {
    'events/s': eventsPerSecond,
    events: delaysMs.length,
    'p50 ms': percentile(delaysMs, 0.5),
    'p99 ms': percentile(delaysMs, 0.99),
    'longest ms': percentile(delaysMs, 1),
  };
}

/**
 * Reads the commit time of each event, in ms since 1970. It is undefined for a duplicate and for a revision that was
 * replaced.
 */
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
    // If there are several duplicates, only the first of them has an effect.
    commits.delete(key);
    return committed;
  });
}
