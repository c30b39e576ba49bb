import type { EventQueue } from '@takt/events';
import pg from 'pg';
import { EVENT_COLUMNS, JOBS_AS_ROWS, rowsOf } from './job-rows.js';
import { askQueue, listFailedJobs, readJob, type StoredJob } from './stored-job.js';
import { tryToMove } from './table.js';

/** How much a queue keeps of its rejected events. */
export interface RejectionLimits {
  readonly maxCount: number;
  readonly maxAgeMs: number;
}

export interface ExportOptions {
  readonly limits: RejectionLimits;
  /** Ends the work early, between two pages. */
  readonly signal: AbortSignal;
  /** In ms since 1970. Default: the clock of PostgreSQL, for that of a worker may be wrong while it runs. */
  readonly nowMs?: number;
  /** Hears of an event that PostgreSQL cannot hold; it stays in its queue. */
  readonly onUnholdable?: (jobId: string, error: Error) => void;
}

const PAGE_JOBS = 25;
/** Data may be megabytes for each job: more than this is written before the next job is read. */
const PAGE_CHARACTERS = 1_000_000;

/**
 * Moves the rejected events of a queue that are beyond its limits, the oldest first, into takt.rejected_events, and
 * gives how many. A page is committed there before it is removed from the queue, and what is committed twice after a
 * crash in between is one row: nothing is lost and nothing doubled, and lists show what is in both places once. Does
 * nothing where another worker is at it, or somebody changes rejected events. Rejects where queue or database do
 * not answer.
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
    // A lock for each page, so that who wants to change something waits for one page only.
    const page = await tryToMove(pool, (lock) => exportPage(queue, { pool, lock }, start, options));
    if (page === undefined || page.seen === 0) break;
    exported += page.exported;
    passedOver += page.seen - page.exported;
  }
  return exported;
}

interface ExportedPage {
  /** Jobs beyond the limits that were looked at. */
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
    // What cannot be read, or is too large to be, stays where it is.
    if (!job?.isReadable || !job.isWhole) continue;
    jobs.push(job);
    characters += job.text.length;
    if (characters > PAGE_CHARACTERS) break;
  }
  const held = await hold(pool, jobs, onUnholdable);
  // Rejects where the lock was lost meanwhile.
  await lock.query('SELECT');
  let exported = 0;
  for (const { key } of held) {
    // Other programs may retry jobs without asking for the lock.
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

/** Commits the jobs and gives those that are held; where one of them cannot be, each is tried alone. */
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
