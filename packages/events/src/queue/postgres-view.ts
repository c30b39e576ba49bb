import type { Pool } from 'pg';
import { type ListedState, RECENT_MS, REJECTED, STUCK_AFTER_MS, type StoreView, waitSince } from './store.js';

/**
 * SQL for the current time of the server, in ms since 1970. BullMQ writes the times of its clients' clocks; the
 * server's clock is the common reference for them.
 */
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const STUCK_JOBS = `
SELECT count(*) AS jobs, coalesce(max(now_ms - processed_at_ms), 0) AS longest_ms
FROM job, (SELECT ${NOW_MS} AS now_ms) AS server
WHERE queue = $1 AND state = 'active' AND abs(now_ms - processed_at_ms) >= $2`;

const COUNTS = `
SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'active') AS active,
  count(*) FILTER (WHERE state = 'delayed') AS delayed, count(*) FILTER (WHERE state = 'failed') AS failed
FROM job
WHERE queue = $1`;

const OLDEST = `
SELECT added_at_ms
FROM job
WHERE queue = $1 AND state = 'waiting' AND priority = 0
ORDER BY seq
LIMIT 1`;

/** SQL that counts the completed jobs, without those that returned REJECTED. BullMQ records each completion as an event. */
const COMPLETED = `
SELECT count(*) FILTER (WHERE event = 'completed' AND created_at_ms > $3
    AND trim(BOTH '"' FROM data ->> 'returnvalue') IS DISTINCT FROM '${REJECTED}') AS jobs, coalesce(max(id), $2) AS now
FROM event
WHERE queue = $1 AND id > $2`;

/**
 * SQL that counts the workers of a queue. BullMQ's workers put the name of their queue into the application name of
 * their listening session.
 */
const WORKERS = `
SELECT count(*) AS workers
FROM pg_stat_activity
WHERE datname = current_database() AND (application_name = $1 OR starts_with(application_name, $1 || ':w:'))`;

const ORDERS = {
  waiting: 'priority, seq',
  active: 'processed_at_ms, seq',
  delayed: 'process_at_ms, seq',
  failed: 'finished_at_ms, seq',
} as const;

const listedJobs = (state: ListedState) => `
SELECT id, left(name, 255) AS name, added_at_ms, processed_at_ms, process_at_ms, finished_at_ms, attempts_started,
  octet_length(data::text) AS bytes
FROM job
WHERE queue = $1 AND state = '${state}'
ORDER BY ${ORDERS[state]}
OFFSET $2 LIMIT $3`;

/** Creates the view of the queues. The search path of `pool` must be the schema of the queues. */
export function viewPostgres(pool: Pool): StoreView {
  return {
    countJobs: async (queue) => {
      const { rows } = await pool.query<Record<string, string>>(COUNTS, [queue]);
      const count = (state: string) => Number(rows[0]?.[state]);
      return {
        waiting: count('waiting'),
        active: count('active'),
        delayed: count('delayed'),
        failed: count('failed'),
      };
    },
    listJobs: async (queue, state, { offset, limit }) => {
      const { rows } = await pool.query<ListedRow>(listedJobs(state), [queue, offset, limit]);
      return rows.map((row) => ({
        jobId: row.id,
        name: row.name,
        deliveries: row.attempts_started,
        bytes: row.bytes,
        addedAtMs: Number(row.added_at_ms),
        claimedAtMs: Number(row.processed_at_ms ?? Number.NaN),
        dueAtMs: state === 'delayed' ? Number(row.process_at_ms ?? Number.NaN) : Number.NaN,
        failedAtMs: state === 'failed' ? Number(row.finished_at_ms ?? Number.NaN) : Number.NaN,
      }));
    },
    isPaused: async (queue) => {
      const { rowCount } = await pool.query("SELECT FROM meta WHERE queue = $1 AND field = 'paused'", [
        queue,
      ]);
      return rowCount === 1;
    },
    readOldestWait: async (queue) => {
      const { rows } = await pool.query<{ added_at_ms: string }>(OLDEST, [queue]);
      return waitSince(rows[0]?.added_at_ms);
    },
    countCompleted: async (queue, since) => {
      const sinceMs = since === undefined ? Date.now() - RECENT_MS : 0;
      const { rows } = await pool.query<{ jobs: string; now: string }>(COMPLETED, [
        queue,
        since ?? '0',
        sinceMs,
      ]);
      const [counted] = rows;
      return { jobs: Number(counted?.jobs), now: counted?.now ?? '0' };
    },
    countWorkers: async (queue) => {
      const { rows } = await pool.query<{ workers: string }>(WORKERS, [queue]);
      return Number(rows[0]?.workers);
    },
    readClockMs: async () => {
      const { rows } = await pool.query<{ now_ms: string }>(`SELECT ${NOW_MS} AS now_ms`);
      return Number(rows[0]?.now_ms);
    },
    countStuckJobs: async (queue) => {
      const { rows } = await pool.query<{ jobs: string; longest_ms: string }>(STUCK_JOBS, [
        queue,
        STUCK_AFTER_MS,
      ]);
      return { jobs: Number(rows[0]?.jobs), longestMs: Number(rows[0]?.longest_ms) };
    },
  };
}

interface ListedRow {
  readonly id: string;
  readonly name: string;
  /** A bigint column, which the driver returns as text. */
  readonly added_at_ms: string;
  readonly processed_at_ms: string | null;
  readonly process_at_ms: string | null;
  readonly finished_at_ms: string | null;
  readonly attempts_started: number;
  readonly bytes: number;
}

/**
 * SQL that repairs times in the future. Parameters: $1 the queue, $2 the duration of a repaired claim, $3 the longest
 * duration of a claim, $4 the allowed difference of clocks. All durations are in ms.
 */
const REPAIR = `
WITH server AS (
  SELECT ${NOW_MS} AS now_ms
), stamp AS (
  DELETE FROM meta USING server
  WHERE queue = $1 AND field = 'stalled-check' AND value::bigint > now_ms + $4
  RETURNING 1
), claims AS (
  UPDATE job SET locked_until_ms = now_ms + $2, processed_at_ms = least(processed_at_ms, now_ms) FROM server
  WHERE queue = $1 AND state = 'active' AND locked_until_ms > now_ms + $3
  RETURNING 1
), ends AS (
  UPDATE job SET finished_at_ms = now_ms FROM server
  WHERE queue = $1 AND state = 'failed' AND finished_at_ms > now_ms + $4
  RETURNING 1
)
SELECT (SELECT count(*) FROM stamp) + (SELECT count(*) FROM claims) + (SELECT count(*) FROM ends) AS repaired`;

interface RepairLimits {
  /** Duration of a repaired claim, counted from now. A worker that still works on the job renews the claim earlier. */
  readonly claimMs: number;
  /** The longest duration for which any client claims a job. */
  readonly longestClaimMs: number;
  /** Allowed difference between the clock of a client and the clock of the server. */
  readonly maxDifferenceMs: number;
}

/**
 * Repairs times that were written by a client whose clock was ahead: the times of claims, of the last check for stalled
 * jobs, and of failures. Without the repair, jobs would stay claimed longer, by the difference of the clocks. Returns
 * the number of repaired times.
 */
export async function repairTimes(pool: Pool, queue: string, limits: RepairLimits): Promise<number> {
  const { claimMs, longestClaimMs, maxDifferenceMs } = limits;
  const parameters = [queue, claimMs, longestClaimMs, maxDifferenceMs];
  const { rows } = await pool.query<{ repaired: string }>(REPAIR, parameters);
  return Number(rows[0]?.repaired);
}
