import { createEmptyDatabase, needsProgram, startTestRedis } from '@takt/test-support';
import { Redis } from 'ioredis';
import type { Context } from 'mocha';
import { migrateQueueSchema, QUEUE_PREFIX } from '../../src/internal.js';

/** A Redis server or a PostgreSQL server that stores the queues of one suite. */
export interface TestStore {
  readonly url: string;
  /** Changes the times of a claimed job as if a client had claimed it at `claimedAtMs` of its own clock. */
  readonly falsify: (queue: string, jobId: string, claimedAtMs: number) => Promise<void>;
  /** Returns how long the claim of a job still lasts, by the clock of the store. */
  readonly claimLastsMs: (queue: string, jobId: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** All kinds of stores. Each suite must pass on each kind. */
export const queueStores: readonly {
  readonly name: string;
  readonly start: (context: Context) => Promise<TestStore>;
}[] = [
  {
    name: 'Redis',
    start: async (context) => {
      needsProgram(context, 'redis-server');
      const { url, close } = await startTestRedis();
      return {
        url,
        close,
        // In Redis, claims and the time of the last check depend only on the clock of the server, not on the clock of a
        // client.
        falsify: async (queue, jobId, claimedAtMs) => {
          const client = new Redis(url);
          await client.hset(`${QUEUE_PREFIX}:${queue}:${jobId}`, 'processedOn', claimedAtMs);
          await client.pexpire(`${QUEUE_PREFIX}:${queue}:${jobId}:lock`, 2_000);
          await client.quit();
        },
        claimLastsMs: async (queue, jobId) => {
          const client = new Redis(url);
          const lastsMs = await client.pttl(`${QUEUE_PREFIX}:${queue}:${jobId}:lock`);
          await client.quit();
          return lastsMs;
        },
      };
    },
  },
  {
    name: 'PostgreSQL',
    start: async () => {
      const { url, pool, close } = await createEmptyDatabase();
      await migrateQueueSchema(url);
      const stamps = `
        WITH claim AS (
          UPDATE bullmq.job SET processed_at_ms = $3, locked_until_ms = $3::bigint + 15000
          WHERE queue = $1 AND id = $2
        )
        INSERT INTO bullmq.meta (queue, field, value) VALUES ($1, 'stalled-check', $3::bigint::text)
        ON CONFLICT (queue, field) DO UPDATE SET value = excluded.value`;
      return {
        url,
        close,
        falsify: async (queue, jobId, claimedAtMs) => {
          await pool.query(stamps, [queue, jobId, claimedAtMs]);
        },
        claimLastsMs: async (queue, jobId) => {
          const { rows } = await pool.query<{ lasts_ms: string }>(
            `SELECT locked_until_ms - extract(epoch FROM clock_timestamp()) * 1000 AS lasts_ms
             FROM bullmq.job WHERE queue = $1 AND id = $2`,
            [queue, jobId],
          );
          return Number(rows[0]?.lasts_ms);
        },
      };
    },
  },
];
