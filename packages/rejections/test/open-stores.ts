import { inTransaction } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import {
  type EventQueue,
  eventProblem,
  migrateQueueSchema,
  openQueueBackend,
  type QueueBackend,
  words,
} from '@takt/events/internal';
import { completion, needsProgram, startTestRedis } from '@takt/test-support';
import type { Context } from 'mocha';
import pg from 'pg';
import { listRejections, type Rejection, recordRejections, resolveRejections } from '../src/index.js';

export const QUEUE_STORES = ['PostgreSQL', 'Redis'] as const;
export const QUEUE = 'work-order-operations';

/** The problem of an event whose run time is negative. */
export const NEGATIVE = eventProblem(
  'data.runTime',
  words('must be hours as a number or plain decimal string from 0 to {0}', 1_000_000),
  '-1',
);

/** A database with the company TEM-NO, and queues of one kind. */
export interface Stores {
  readonly pool: pg.Pool;
  readonly queues: readonly [EventQueue, EventQueue];
  readonly backend: QueueBackend;
  /** Records the operations FROM up to and without TO as rejected, one after another. */
  rejectMany(from: number, to: number): Promise<void>;
  reject(text: string, problem?: typeof NEGATIVE): Promise<void>;
  list(): Promise<readonly Rejection[]>;
  /** Discards everything that is rejected, and removes the waiting jobs. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database, and queues of this kind. Skips the tests if Redis is not installed. */
export async function openStores(context: Context, kind: (typeof QUEUE_STORES)[number]): Promise<Stores> {
  if (kind === 'Redis') needsProgram(context, 'redis-server');
  const redis = kind === 'Redis' ? await startTestRedis() : undefined;
  const test = await createTestDatabase();
  const { pool } = test.database;
  await pool.query(
    "INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Norway'), ('TEM-SE', 'Sweden')",
  );
  const queueUrl = redis?.url ?? test.url;
  await migrateQueueSchema(queueUrl);
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
  const queues = [backend.openQueue(QUEUE), backend.openQueue('reference-data')] as const;
  // Rejections are recorded with the rights of a worker.
  const worker = new pg.Pool({ connectionString: test.appUrl('worker') });
  // The database may end a session before the pool has.
  worker.on('error', () => undefined);
  const reject = (text: string, problem = NEGATIVE) =>
    inTransaction(worker, (session) =>
      recordRejections(session, [{ queue: QUEUE, text, problems: [problem] }]),
    );
  return {
    pool,
    queues,
    backend,
    reject,
    rejectMany: async (from, to) => {
      for (let operation = from; operation < to; operation++) {
        await reject(JSON.stringify(completion(operation, { runTime: -1 })));
      }
    },
    list: () => listRejections(pool, { limit: 1_000, oldestFirst: true }),
    empty: async () => {
      await pool.query('TRUNCATE takt.rejections, takt.rejected_events, takt.resolved_rejections');
      for (const queue of queues) {
        await queue.drain();
        await queue.clean(0, 0, 'failed');
      }
    },
    close: async () => {
      await worker.end();
      await backend.close();
      await redis?.close();
      await test.close();
    },
  };
}

/** Resolves rejections as Nora. */
export function resolveAs(
  { pool, queues }: Stores,
  ids: readonly number[],
  decide: Parameters<typeof resolveRejections>[2],
  run?: string,
) {
  return resolveRejections({ pool, queues }, ids, decide, { by: 'Nora', ...(run !== undefined && { run }) });
}
