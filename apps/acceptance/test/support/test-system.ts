import { type AppProcess, createTestDatabase, startApp } from '@takt/database/testing';
import type { QueueName } from '@takt/events';
import { type EventQueue, migrateQueueSchema, openQueueBackend } from '@takt/events/internal';
import { needsProgram, startTestRedis, waitUntil } from '@takt/test-support';
import type pg from 'pg';

const DRAIN_POLL_MS = 50;

/** The kind of store that holds the queues. Every promise of the product holds for both kinds. */
export type QueueStoreKind = 'postgres' | 'redis';
export const queueStoreKinds: readonly QueueStoreKind[] = ['postgres', 'redis'];

/** A new empty database, empty queues, and the workers that a test has started on them. */
export interface TestSystem {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly pool: pg.Pool;
  readonly database: Awaited<ReturnType<typeof createTestDatabase>>['database'];
  readonly queues: Readonly<Record<QueueName, EventQueue>>;
  /** Starts this number of additional workers in parallel. */
  startWorkers(count: number): Promise<readonly AppProcess[]>;
  /** Resolves once both queues are empty and no job is active. Rejects at the deadline. */
  drain(deadlineMs: number): Promise<void>;
  /** Stops the workers with SIGTERM, and then closes everything that the workers used. */
  close(): Promise<void>;
}

/** Opens a system in a `before` hook. The hook reports if redis-server is missing. */
export async function openTestSystem(context: Mocha.Context, kind: QueueStoreKind): Promise<TestSystem> {
  if (kind === 'redis') needsProgram(context, 'redis-server');
  const test = await createTestDatabase();
  const redis = kind === 'redis' ? await startTestRedis() : undefined;
  const queueUrl = redis?.url ?? test.url;
  await migrateQueueSchema(queueUrl);
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
  const queues = {
    'work-order-operations': backend.openQueue('work-order-operations'),
    'reference-data': backend.openQueue('reference-data'),
  };
  const workers: AppProcess[] = [];
  return {
    databaseUrl: test.url,
    queueUrl,
    pool: test.database.pool,
    database: test.database,
    queues,
    startWorkers: async (count) => {
      const start = () => startApp('worker', { databaseUrl: test.url, queueUrl });
      const started = await Promise.all(Array.from({ length: count }, start));
      workers.push(...started);
      return started;
    },
    drain: (deadlineMs) => drainQueues(Object.values(queues), deadlineMs),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await backend.close();
      await redis?.close();
      await test.close();
    },
  };
}

/** Resolves once no queue has waiting or active jobs. At the deadline, rejects with the jobs that are left. */
async function drainQueues(queues: readonly EventQueue[], deadlineMs: number): Promise<void> {
  let left = '';
  // A worker may return a job to the queue a moment after taking it. The queues must therefore be empty three times in
  // a row, as for takt drain.
  let emptyLooks = 0;
  const isDrained = async () => {
    const counts = await Promise.all(queues.map(countOpenJobs));
    left = queues.map(({ name }, index) => `${counts[index]} in ${name}`).join(', ');
    emptyLooks = counts.every((count) => count === 0) ? emptyLooks + 1 : 0;
    return emptyLooks === 3;
  };
  await waitUntil('the queues are drained', isDrained, deadlineMs, DRAIN_POLL_MS).catch((error: unknown) => {
    throw new Error(`jobs are left: ${left}`, { cause: error });
  });
}

async function countOpenJobs(queue: EventQueue): Promise<number> {
  const counts = await queue.getJobCounts('waiting', 'active', 'prioritized', 'delayed');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
