import { auditProductionTimes, type WorkOrderOperationEvent } from '@takt/figures';
import { readPeakMemoryMb } from '@takt/test-support';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { findChildren, readCpuMs } from '../harness.js';
import type { FreshDatabase, Workload } from './servers.js';

/** What one contestant took in one round. */
export interface Measurement {
  readonly events: number;
  readonly seconds: number;
  /** Per process kind, CPU time in microseconds an event; the client is the benchmark itself, where it publishes. */
  readonly workerCpuMicroseconds?: number | undefined;
  readonly intakeCpuMicroseconds?: number | undefined;
  readonly clientCpuMicroseconds?: number | undefined;
  readonly postgresCpuMicroseconds?: number | undefined;
  readonly redisCpuMicroseconds?: number | undefined;
  readonly walBytes?: number;
  /** Of the worker. */
  readonly peakMemoryMb?: number | undefined;
}

export interface RunContext {
  readonly workload: Workload;
  readonly fresh: FreshDatabase;
  readonly redisUrl: string;
}

export interface Contestant {
  readonly name: string;
  readonly about: string;
  /** Share of the workload's events that it gets; the slow ones are measured on fewer. */
  readonly share: number;
  /** What is to be checked: figures by month are what Takt alone keeps, and where nothing reaches the database there are none. */
  readonly figures: 'all' | 'without months' | 'none';
  run(context: RunContext): Promise<Measurement>;
}

/** The processes of a contestant, by what they do. */
interface MeasuredProcesses {
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

/**
 * Why the rows of a round are wrong, undefined where they are right: the ledger must hold every operation at its
 * newest revision, and every figure that the contestant keeps must equal the audit's recomputation.
 */
export async function findWrongRows(
  { workload, fresh }: RunContext,
  { figures }: Pick<Contestant, 'figures'>,
): Promise<string | undefined> {
  if (figures === 'none') return undefined;
  const { pool } = fresh.database;
  const { rows } = await pool.query<{ operation: string; revision: string }>(
    'SELECT work_order_operation_id AS operation, revision FROM work_order_operations',
  );
  const expected = newestRevisions(workload.parsed);
  if (rows.length !== expected.size) {
    return `${rows.length} operations in the ledger instead of ${expected.size}`;
  }
  const wrong = rows.find(({ operation, revision }) => expected.get(Number(operation)) !== Number(revision));
  if (wrong !== undefined) return `operation ${wrong.operation} is at revision ${wrong.revision}`;
  const audit = await auditProductionTimes(pool, {});
  const differences = audit.differences.filter(({ month }) => month === undefined || figures === 'all');
  return differences.length === 0 ? undefined : `${differences.length} figures differ from a recomputation`;
}

function newestRevisions(events: readonly WorkOrderOperationEvent[]): ReadonlyMap<number, number> {
  const newest = new Map<number, number>();
  for (const { workOrderOperationId, revision } of events) {
    newest.set(workOrderOperationId, Math.max(revision, newest.get(workOrderOperationId) ?? 0));
  }
  return newest;
}
