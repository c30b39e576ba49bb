import type { Pool } from 'pg';
import { viewFailedOfPostgres } from './postgres-failed-jobs.js';
import type { Claim, StoreView } from './store-view.js';

/** BullMQ stamps with the clocks of its clients; the server's own is the one that all of them can be compared with. */
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const STUCK_JOBS = `
SELECT count(*) AS jobs, coalesce(max(now_ms - processed_at_ms), 0) AS longest_ms
FROM job, (SELECT ${NOW_MS} AS now_ms) AS server
WHERE queue = $1 AND state = 'active' AND abs(now_ms - processed_at_ms) >= $2`;

const CLAIMS = `
SELECT id AS "jobId", lock_token AS token
FROM job
WHERE queue = $1 AND state = 'active' AND lock_token = ANY ($2)`;

/** `pool` looks into the schema of the queues. */
export function viewPostgres(pool: Pool): StoreView {
  return {
    ...viewFailedOfPostgres(pool),
    readClockMs: async () => {
      const { rows } = await pool.query<{ now_ms: string }>(`SELECT ${NOW_MS} AS now_ms`);
      return Number(rows[0]?.now_ms);
    },
    countStuckJobs: async (queue, forMs) => {
      const { rows } = await pool.query<{ jobs: string; longest_ms: string }>(STUCK_JOBS, [queue, forMs]);
      return { jobs: Number(rows[0]?.jobs), longestMs: Number(rows[0]?.longest_ms) };
    },
    findClaims: async (queue, tokens) => (await pool.query<Claim>(CLAIMS, [queue, tokens])).rows,
  };
}

/** $1 queue, $2 how long a claim lasts, $3 the longest that any lasts, $4 how far clocks may be apart; all in ms. */
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

export interface RepairLimits {
  /** How long a repaired claim lasts from now: whoever holds the job and is at work renews it before. */
  readonly claimMs: number;
  /** No client claims for longer. */
  readonly longestClaimMs: number;
  /** How far clocks may be apart. */
  readonly maxDifferenceMs: number;
}

/**
 * Mends what a client whose clock ran ahead left behind, and what else would keep its jobs claimed for as long as it ran
 * ahead: claims, the time of the last check for stalled jobs, the times of failures. Gives how many it mended.
 */
export async function repairTimes(pool: Pool, queue: string, limits: RepairLimits): Promise<number> {
  const { claimMs, longestClaimMs, maxDifferenceMs } = limits;
  const parameters = [queue, claimMs, longestClaimMs, maxDifferenceMs];
  const { rows } = await pool.query<{ repaired: string }>(REPAIR, parameters);
  return Number(rows[0]?.repaired);
}
