import { readPeakMemoryMb } from '@takt/test-support';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { Measurement, RunContext } from './contestant.js';
import { findChildren, readCpuMs } from './process-use.js';

/** The processes of a contestant, by what they do. */
export interface MeasuredProcesses {
  readonly worker?: number;
  readonly intake?: number | undefined;
  /** That which publishes. */
  readonly client?: number;
}

/**
 * Runs `work`, which gives its own seconds, and reads what it used meanwhile: CPU time of the contestant's processes, of
 * PostgreSQL with all its backends and of Redis, and the write-ahead log that was written.
 */
export async function measure(
  { workload, fresh, redisUrl }: RunContext,
  { worker, intake, client }: MeasuredProcesses,
  work: () => Promise<number>,
): Promise<Measurement> {
  const pool = fresh.database.pool;
  const postgres = await findPostmaster(pool);
  const redis = await findRedis(redisUrl);
  const readUse = async () => ({
    // A backend that ends meanwhile is counted with the postmaster from then on.
    cpuMs: [[worker], [intake], [client], [postgres, ...findChildren(postgres)], [redis]].map(sumCpuMs),
    wal: await readWalPosition(pool),
  });
  const before = await readUse();
  const seconds = await work();
  const after = await readUse();
  const events = workload.completions.length;
  const [workerCpu, intakeCpu, clientCpu, postgresCpu, redisCpu] = after.cpuMs.map((cpuMs, index) => {
    const earlierMs = before.cpuMs[index];
    return cpuMs === undefined || earlierMs === undefined ? undefined : ((cpuMs - earlierMs) * 1000) / events;
  });
  return {
    events,
    seconds,
    workerCpuMicroseconds: workerCpu,
    intakeCpuMicroseconds: intakeCpu,
    clientCpuMicroseconds: clientCpu,
    postgresCpuMicroseconds: postgresCpu,
    redisCpuMicroseconds: redisCpu,
    walBytes: Number(after.wal - before.wal) / events,
    peakMemoryMb: worker === undefined ? undefined : readPeakMemoryMb(worker),
  };
}

/** Undefined where there is no such process. */
function sumCpuMs(pids: readonly (number | undefined)[]): number | undefined {
  return pids.reduce<number | undefined>(
    (sum, pid) => (pid === undefined ? sum : (sum ?? 0) + readCpuMs(pid)),
    undefined,
  );
}

async function readWalPosition(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  return BigInt(rows[0]?.bytes ?? 0);
}

/** The first process of the server. */
export async function findPostmaster(pool: pg.Pool): Promise<number> {
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
