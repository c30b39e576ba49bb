import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { repeat } from '@takt/runtime/waiting';
import type pg from 'pg';
import { TAKT_VERSION } from './version.js';
import { createWorkerProgress, type QueueProgress, type WorkerProgress } from './worker-progress.js';

export interface WorkerReportsOptions {
  /** Of the worker's log-in. Takes one of its connections at a time. */
  readonly pool: pg.Pool;
  readonly queues: readonly string[];
  /** Hears of the first failure after a success, not of each. */
  readonly onFailure: (error: unknown) => void;
  /** Default 5,000. */
  readonly everyMs?: number;
}

export interface WorkerReports {
  /** To be told of what the worker does with a queue. Costs no round trip and never fails. */
  of(queue: string): QueueProgress;
  /** Ends the reports; one that is under way is left alone. */
  close(): void;
}

const REPORT_EVERY_MS = 5_000;
/** A worker that was not seen for so long has ended, or cannot reach the database. */
const SEEN_WITHIN_SECONDS = 30;

/**
 * Tells the database every 5 s how this worker gets on, the first time at once. Beside the events, never in their way:
 * it is told of them in memory, and a report that fails is left out.
 */
export function startWorkerReports(options: WorkerReportsOptions): WorkerReports {
  const { pool, queues, onFailure, everyMs = REPORT_EVERY_MS } = options;
  const progress = createWorkerProgress();
  for (const queue of queues) progress.of(queue);
  const workerId = randomUUID();
  const ending = new AbortController();
  let isFailing = false;
  void repeat(
    async () => {
      await report(pool, workerId, progress);
      isFailing = false;
    },
    {
      everyMs,
      signal: ending.signal,
      onFailure: (error) => {
        if (!isFailing) onFailure(error);
        isFailing = true;
      },
    },
  );
  return { of: progress.of, close: () => ending.abort() };
}

async function report(pool: pg.Pool, workerId: string, progress: WorkerProgress): Promise<void> {
  const sources = progress.heardSources();
  const worker = {
    worker_id: workerId,
    host: hostname(),
    pid: process.pid,
    version: TAKT_VERSION,
    queues: progress.takeReports(),
  };
  await pool.query('SELECT takt.note_worker_report($1, $2)', [
    JSON.stringify(worker),
    JSON.stringify(sources),
  ]);
  progress.forgetSources(sources);
}

/** How a worker stood with one queue when it was seen last. */
export interface WorkerReport {
  /** Of this run of the worker; one that is started anew is another one. */
  readonly workerId: string;
  readonly queue: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Events since it started, as the three below. */
  readonly applied: number;
  readonly duplicate: number;
  readonly stale: number;
  readonly rejected: number;
  /** Between its last two reports; 0 without them, and where the last is older than two of them should be. */
  readonly appliedPerSecond: number;
  /**
   * From when the work was done (`completedAt`) to its figures, in seconds: median of the completions that were applied
   * in the 5 s before; null without any.
   */
  readonly completionLagSeconds: number | null;
  /** From when the events' jobs came into the queue to the figures, in seconds; null without any. */
  readonly publishingLagSeconds: number | null;
  readonly lastCommitAt: Date | null;
}

/**
 * The workers that were seen within 30 s, each with a row a queue, those that run longest first. The role
 * takt_dashboard is enough. Of the other totals, what happened a second is the difference of two reads, by worker and
 * queue, over the difference of their `seenAt`.
 */
export async function readWorkerReports(pool: pg.Pool): Promise<readonly WorkerReport[]> {
  const { rows } = await pool.query<WorkerReport>(
    `SELECT worker_id AS "workerId", queue, host, pid, version, started_at AS "startedAt", seen_at AS "seenAt",
       applied::float8 AS applied, duplicate::float8 AS duplicate, stale::float8 AS stale, rejected::float8 AS rejected,
       CASE WHEN seen_at > now() - make_interval(secs => $2)
         THEN coalesce((applied - applied_before) / nullif(extract(epoch FROM seen_at - seen_before), 0), 0)
         ELSE 0 END::float8 AS "appliedPerSecond",
       completion_lag_seconds AS "completionLagSeconds", publishing_lag_seconds AS "publishingLagSeconds",
       last_commit_at AS "lastCommitAt"
     FROM takt.worker_reports WHERE seen_at > now() - make_interval(secs => $1)
     ORDER BY started_at, worker_id, queue`,
    [SEEN_WITHIN_SECONDS, (2 * REPORT_EVERY_MS) / 1_000],
  );
  return rows;
}
