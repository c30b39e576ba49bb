import {
  exportRejectedEvents,
  openRejectedEvents,
  type RejectedEvent,
  type RejectedEvents,
} from '@takt/database/rejected-events';
import { createTestDatabase } from '@takt/database/testing';
import {
  type EventQueue,
  migrateQueueSchema,
  openQueueBackend,
  type QueueBackend,
} from '@takt/events/internal';
import { completion, needsProgram, startTestRedis, waitUntil } from '@takt/test-support';
import type { Context } from 'mocha';
import type pg from 'pg';
import { type FailingJob, failJobs } from './fail-jobs.js';

/** The kinds of queue, and the places in which a rejected event can be. */
export const QUEUE_STORES = ['PostgreSQL', 'Redis'] as const;
export const PLACES = ['its queue', 'the table'] as const;
export const QUEUE = 'work-order-operations';
export const DAY_MS = 86_400_000;

interface Move {
  /** Default: one day. */
  readonly maxAgeMs?: number;
  /** The time of the move, in ms since 1970. Default: now, by the clock of PostgreSQL. */
  readonly nowMs?: number;
  readonly from?: EventQueue;
  readonly by?: pg.Pool;
}

/** A queue whose jobs fail, and the table to which they are moved. */
export interface Stores {
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly backend: QueueBackend;
  readonly queue: EventQueue;
  readonly reference: EventQueue;
  readonly rejected: RejectedEvents;
  fail(jobs: readonly FailingJob[]): Promise<void>;
  /** Makes the jobs `job-FROM` up to and without `job-TO` fail. Their events have the ids from `FROM + 1`. */
  failMany(from: number, to: number): Promise<void>;
  /** Moves events beyond the limits from the queue to the table, and returns their number. */
  move(maxCount: number, move?: Move): Promise<number>;
  /** Reads the whole list of rejected events. */
  list(afterPage?: (page: number) => Promise<void>): Promise<readonly RejectedEvent[]>;
  countRows(): Promise<number | null>;
  /** Returns the time of the newest rejection in the queue, in ms since 1970. */
  newestRejection(): Promise<number>;
  /** Discards all rejected events, and removes the waiting jobs. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database, and a queue of this kind. Skips the tests if Redis is not installed. */
export async function openStores(context: Context, kind: (typeof QUEUE_STORES)[number]): Promise<Stores> {
  if (kind === 'Redis') needsProgram(context, 'redis-server');
  const redis = kind === 'Redis' ? await startTestRedis() : undefined;
  const test = await createTestDatabase();
  const { pool } = test.database;
  const queueUrl = redis?.url ?? test.url;
  await migrateQueueSchema(queueUrl);
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
  const queue = backend.openQueue(QUEUE);
  const reference = backend.openQueue('reference-data');
  const rejected = openRejectedEvents(pool, [queue, reference]);
  const fail = (jobs: readonly FailingJob[]) => failJobs(backend, queue, jobs);
  return {
    ...{ pool, databaseUrl: test.url, queueUrl, backend, queue, reference, rejected, fail },
    failMany: (from, to) =>
      fail(
        Array.from({ length: to - from }, (_, index) => ({
          jobId: `job-${from + index}`,
          data: completion(from + index + 1, { runTime: -1 }),
        })),
      ),
    move: (maxCount, { maxAgeMs = DAY_MS, from = queue, by = pool, ...time } = {}) =>
      exportRejectedEvents(from, by, {
        limits: { maxCount, maxAgeMs },
        signal: new AbortController().signal,
        ...time,
      }),
    list: async (afterPage = async () => undefined) => {
      const events: RejectedEvent[] = [];
      let page = 0;
      for await (const some of rejected.list()) {
        events.push(...some);
        await afterPage(page++);
      }
      return events;
    },
    countRows: async () => (await pool.query('SELECT FROM takt.rejected_events')).rowCount,
    newestRejection: async () =>
      Math.max(...(await queue.getFailed()).map(({ finishedOn }) => finishedOn ?? 0)),
    empty: async () => {
      for (const id of await rejected.listIds()) await rejected.discard(id, { by: 'the test' });
      for (const one of [queue, reference]) await one.drain();
    },
    close: async () => {
      await backend.close();
      await redis?.close();
      await test.close();
    },
  };
}

/** Returns the job in the id of each event. */
export const jobsOf = (events: readonly { readonly id: string }[]) =>
  events.map(({ id }) => id.split('/')[1]);

/** Returns the ids of the jobs `job-FROM` up to and without `job-TO`. */
export const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `job-${from + index}`);

/**
 * Waits until the clock shows a later millisecond, because the two stores sort events of the same millisecond
 * differently.
 */
export const untilLaterThan = (ms: number) => waitUntil('the clock has gone on', () => Date.now() > ms);
