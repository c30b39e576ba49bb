import { readPeakMemoryMb } from '@takt/test-support';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { Measurement, RunContext } from './contestant.js';
import { findChildren, readCpuMs } from './process-use.js';

/**
 * Runs `work`, which gives its own seconds, and reads what it used meanwhile: CPU time of the worker's process, of
 * PostgreSQL with all its backends and of Redis, and the write-ahead log that was written.
 */
export async function measure(
  { workload, fresh, redisUrl }: RunContext,
  workerPid: number | undefined,
  work: () => Promise<number>,
): Promise<Measurement> {
  const pool = fresh.database.pool;
  const postgresPid = await findPostmaster(pool);
  const redisPid = await findRedis(redisUrl);
  const readUse = async () => ({
    workerMs: workerPid === undefined ? undefined : readCpuMs(workerPid),
    // A backend that ends meanwhile is counted with the postmaster from then on.
    postgresMs: [postgresPid, ...findChildren(postgresPid)].reduce((sum, pid) => sum + readCpuMs(pid), 0),
    redisMs: readCpuMs(redisPid),
    wal: await readWalPosition(pool),
  });
  const before = await readUse();
  const seconds = await work();
  const after = await readUse();
  const events = workload.completions.length;
  const perEvent = (usedMs: number) => (usedMs * 1000) / events;
  const worker =
    before.workerMs === undefined || after.workerMs === undefined || workerPid === undefined
      ? {}
      : {
          workerCpuMicroseconds: perEvent(after.workerMs - before.workerMs),
          peakMemoryMb: readPeakMemoryMb(workerPid),
        };
  return {
    events,
    seconds,
    postgresCpuMicroseconds: perEvent(after.postgresMs - before.postgresMs),
    redisCpuMicroseconds: perEvent(after.redisMs - before.redisMs),
    walBytes: Number(after.wal - before.wal) / events,
    ...worker,
  };
}

async function readWalPosition(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  return BigInt(rows[0]?.bytes ?? 0);
}

async function findPostmaster(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ text: string }>(`SELECT pg_read_file('postmaster.pid') AS text`);
  return Number(rows[0]?.text.split('\n')[0]);
}

async function findRedis(redisUrl: string): Promise<number> {
  const client = new Redis(redisUrl);
  try {
    return Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
  } finally {
    client.disconnect();
  }
}
