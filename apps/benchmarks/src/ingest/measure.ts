import { auditProductionTimes, type WorkOrderOperationEvent } from '@takt/figures';
import { readPeakMemoryMb } from '@takt/test-support';
import { Redis } from 'ioredis';
import { type Defer, type Figures, readNumber, startCpuMeter } from '../harness.js';
import type { FreshDatabase, Workload } from './servers.js';

/** The resources that a contestant has in one round. */
export interface RunContext {
  readonly workload: Workload;
  readonly fresh: FreshDatabase;
  readonly redisUrl: string;
  readonly defer: Defer;
}

/** A way to process the events of a workload, which is measured. */
export interface IngestContestant {
  readonly name: string;
  /** Share of the workload that the contestant gets, from 0 to 1. Slow contestants get fewer events. */
  readonly share: number;
  /**
   * The figures that are checked after the round. Only Takt has monthly figures, and the contestant "do nothing" has no
   * figures.
   */
  readonly figures: 'all' | 'without months' | 'none';
  readonly run: (context: RunContext) => Promise<Figures>;
}

interface ProcessIds {
  readonly worker?: number;
  readonly intake?: number | undefined;
  /** Process id of the publisher. */
  readonly client?: number;
}

/** SQL for the current length of the write-ahead log in bytes. */
export const WAL_BYTES = "pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";

/**
 * Runs `work`, which returns how many seconds it took. Returns these figures: the events per second; the CPU time of
 * every process per event, in microseconds; the bytes of the write-ahead log per event; and the peak memory of the
 * worker.
 */
export async function measure(
  { workload, fresh, redisUrl }: RunContext,
  { worker, intake, client }: ProcessIds,
  work: () => Promise<number>,
): Promise<Figures> {
  const { pool } = fresh.database;
  const events = workload.completions.length;
  const cpuSince = await startCpuMeter(pool, {
    'client CPU µs': [client],
    'intake CPU µs': [intake],
    'worker CPU µs': [worker],
    'Redis CPU µs': [await findRedis(redisUrl)],
  });
  const walBefore = await readNumber(pool, WAL_BYTES);
  const seconds = await work();
  const cpu = cpuSince(events);
  return {
    'events/s': events / seconds,
    ...cpu,
    'WAL bytes': ((await readNumber(pool, WAL_BYTES)) - walBefore) / events,
    'worker MB': worker === undefined ? undefined : readPeakMemoryMb(worker),
  };
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
 * Throws if the rows are wrong. The ledger must have every operation in its newest revision, and every figure of the
 * contestant must equal the recomputation by the audit.
 */
export async function checkRows(
  { workload, fresh }: RunContext,
  { name, figures }: IngestContestant,
): Promise<void> {
  if (figures === 'none') return;
  const { pool } = fresh.database;
  const { rows } = await pool.query<{ operation: string; revision: string }>(
    'SELECT work_order_operation_id AS operation, revision FROM takt.work_order_operations',
  );
  const found = new Map(rows.map(({ operation, revision }) => [Number(operation), Number(revision)]));
  const newest = newestEvents(workload.parsed);
  const wrong = newest.filter(
    ({ workOrderOperationId, revision }) => found.get(Number(workOrderOperationId)) !== revision,
  );
  const { differences } = await auditProductionTimes(pool, {});
  const wrongFigures = differences.filter(({ month }) => month === undefined || figures === 'all');
  if (found.size !== newest.length || wrong.length > 0 || wrongFigures.length > 0) {
    throw new Error(
      `${name}: ${found.size} operations instead of ${newest.length}, ${wrong.length} at a wrong revision, ${wrongFigures.length} wrong figures`,
    );
  }
}

/** Returns for each operation the event with the highest revision. */
export function newestEvents(events: readonly WorkOrderOperationEvent[]): readonly WorkOrderOperationEvent[] {
  const newest = new Map<number, WorkOrderOperationEvent>();
  for (const event of events) {
    const operation = Number(event.workOrderOperationId);
    const known = newest.get(operation);
    if (known === undefined || known.revision < event.revision) newest.set(operation, event);
  }
  return [...newest.values()];
}
