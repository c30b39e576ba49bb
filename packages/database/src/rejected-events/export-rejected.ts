import type { EventQueue } from '@takt/events/internal';
import pg from 'pg';
import { EVENT_COLUMNS, JOBS_AS_ROWS, rowsOf } from './job-rows.js';
import { askQueue, listFailedJobs, readJob, type StoredJob } from './stored-job.js';
import { tryToMove } from './table.js';

/** Rejected events beyond these limits do not stay in their queue. */
export interface RejectionLimits {
  readonly maxCount: number;
  readonly maxAgeMs: number;
}

export interface ExportOptions {
  readonly limits: RejectionLimits;
  /** When aborted, the export stops early, between two pages. */
  readonly signal: AbortSignal;
  /**
   * The current time in ms since 1970. By default it is the time of PostgreSQL, because the clock of a worker may be
   * wrong.
   */
  readonly nowMs?: number;
  /** Receives an event that PostgreSQL cannot store. The event stays in its queue. */
  readonly onUnholdable?: (jobId: string, error: Error) => void;
}

const PAGE_JOBS = 25;
/**
 * A page is written as soon as it has more characters than this, because the data of a single job may have megabytes.
 */
const PAGE_CHARACTERS = 1_000_000;

/**
 * Moves the rejected events of a queue that exceed its limits to takt.rejected_events, oldest first, and returns their
 * number. Each page is committed in the table before its events are removed from the queue. After a crash between the
 * two steps, an event is in both places. But the table stores the event once and lists show it once, so nothing is lost
 * or doubled. Does nothing while another worker moves events of a queue, or while somebody changes rejected events.
 * Rejects if the queue or the database does not answer.
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
    // Each page takes the lock anew, so that a person's change waits for one page at most.
    const page = await tryToMove(pool, (lock) => exportPage(queue, { pool, lock }, start, options));
    if (page === undefined || page.seen === 0) break;
    exported += page.exported;
    passedOver += page.seen - page.exported;
  }
  return exported;
}

interface ExportedPage {
  /** Number of jobs beyond the limits that have already been examined. */
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
    // Jobs that are unreadable or too large stay in the queue.
    if (!job?.isReadable || !job.isWhole) continue;
    jobs.push(job);
    characters += job.text.length;
    if (characters > PAGE_CHARACTERS) break;
  }
  const held = await hold(pool, jobs, onUnholdable);
  // This statement rejects if the lock was lost.
  await lock.query('SELECT');
  let exported = 0;
  for (const { key } of held) {
    // The state is checked, because other programs may retry jobs without the lock.
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

/** Stores the jobs and returns the stored jobs. If the statement fails, tries to store each job alone. */
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
