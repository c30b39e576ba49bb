import type { EventQueue } from '@takt/events';
import pg from 'pg';
import { EVENT_COLUMNS, JOBS_AS_ROWS, rowsOf } from './job-rows.js';
import { askQueue, listFailedJobs, readJob, type StoredJob } from './stored-job.js';
import { tryToMove } from './table.js';

/** Limits of the rejected events in a queue. */
export interface RejectionLimits {
  readonly maxCount: number;
  readonly maxAgeMs: number;
}

export interface ExportOptions {
  readonly limits: RejectionLimits;
  /** Stops early, between two pages. */
  readonly signal: AbortSignal;
  /** In ms since 1970. Default: PostgreSQL's clock, because a worker's may be wrong. */
  readonly nowMs?: number;
  /** Receives events that PostgreSQL cannot store; they stay in their queue. */
  readonly onUnholdable?: (jobId: string, error: Error) => void;
}

const PAGE_JOBS = 25;
/** A page is written once it has more characters than this, because the data of a job may be megabytes. */
const PAGE_CHARACTERS = 1_000_000;

/**
 * Moves a queue's rejected events beyond its limits, oldest first, to takt.rejected_events, and returns their number.
 * Each page is committed in the table before it is removed from the queue. After a crash in between, an event is in
 * both places; the table stores it once and lists show it once, so nothing is lost or doubled. Does nothing while
 * another worker moves events of a queue or somebody changes rejected events. Rejects if queue or database do not
 * answer.
 */
export async function exportRejectedEvents(
  queue: EventQueue,
  pool: pg.Pool,
  options: ExportOptions,
): Promise<number> {
  let exported = 0;
  let passedOver = 0;
  while (!options.signal.aborted) {
    const start = passedOver;
    // One lock per page, so that a person's change waits for one page only.
    const page = await tryToMove(pool, (lock) => exportPage(queue, { pool, lock }, start, options));
    if (page === undefined || page.seen === 0) break;
    exported += page.exported;
    passedOver += page.seen - page.exported;
  }
  return exported;
}

interface ExportedPage {
  /** Number of jobs beyond the limits that have been examined. */
  readonly seen: number;
  readonly exported: number;
}

async function exportPage(
  queue: EventQueue,
  { pool, lock }: { readonly pool: pg.Pool; readonly lock: pg.PoolClient },
  start: number,
  { limits, nowMs, onUnholdable = () => undefined }: ExportOptions,
): Promise<ExportedPage> {
  const failed = await askQueue(queue, 'counting the jobs', queue.getFailedCount());
  const tooMany = failed - limits.maxCount - start;
  const expiredAtMs = (nowMs ?? (await askTime(lock))) - limits.maxAgeMs;
  const jobs: StoredJob[] = [];
  let seen = 0;
  let characters = 0;
  for (const key of await listFailedJobs(queue, { start, limit: PAGE_JOBS })) {
    const job = await readJob(key);
    if (seen >= tooMany && !(job !== undefined && job.finishedAtMs < expiredAtMs)) break;
    seen += 1;
    // Unreadable and oversized jobs stay in the queue.
    if (!job?.isReadable || !job.isWhole) continue;
    jobs.push(job);
    characters += job.text.length;
    if (characters > PAGE_CHARACTERS) break;
  }
  const held = await hold(pool, jobs, onUnholdable);
  // Rejects if the lock was lost.
  await lock.query('SELECT');
  let exported = 0;
  for (const { key } of held) {
    // Other programs may retry jobs without the lock.
    const state = await askQueue(queue, 'the state of a job', queue.getJobState(key.jobId));
    if (state !== 'failed') continue;
    exported += await askQueue(queue, 'removing a job', queue.remove(key.jobId));
  }
  return { seen, exported };
}

async function askTime(lock: pg.PoolClient): Promise<number> {
  const { rows } = await lock.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now.getTime() ?? Number.NaN;
}

const HOLD = `
  INSERT INTO takt.rejected_events (${EVENT_COLUMNS}) SELECT * FROM ${JOBS_AS_ROWS} ON CONFLICT DO NOTHING`;

/** Stores the jobs and returns the stored ones. If that fails, tries each job alone. */
async function hold(
  pool: pg.Pool,
  jobs: readonly StoredJob[],
  onUnholdable: (jobId: string, error: Error) => void,
): Promise<readonly StoredJob[]> {
  if (jobs.length === 0) return [];
  try {
    await pool.query(HOLD, rowsOf(jobs));
    return jobs;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !/^(?:22|23|54)/.test(error.code ?? '')) throw error;
    const [only, ...others] = jobs;
    if (only !== undefined && others.length === 0) {
      onUnholdable(only.key.jobId, error);
      return [];
    }
    const held: StoredJob[] = [];
    for (const job of jobs) held.push(...(await hold(pool, [job], onUnholdable)));
    return held;
  }
}
