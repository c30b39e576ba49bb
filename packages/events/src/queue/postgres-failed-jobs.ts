import type { Pool } from 'pg';
import type { FailedJobsView } from './failed-jobs.js';

/** `pool` looks into the schema of the queues. */
export function viewFailedOfPostgres(pool: Pool): FailedJobsView {
  return {
    listFailedJobs: async (queue, limit) => {
      const { rows } = await pool.query<{ id: string; finished_at_ms: string }>(
        `SELECT id, finished_at_ms FROM job WHERE queue = $1 AND state = 'failed'
         ORDER BY finished_at_ms DESC NULLS LAST, seq DESC LIMIT $2`,
        [queue, limit],
      );
      return rows.map((row) => ({ jobId: row.id, failedAtMs: Number(row.finished_at_ms) }));
    },
    readFailedJobs: async (queue, jobIds, maxTextBytes) => {
      const { rows } = await pool.query<FailedRow>(
        `SELECT id, added_at_ms, finished_at_ms, attempts_started, coalesce(failed_reason, '') AS failed_reason,
           CASE WHEN octet_length(data::text) <= $3 THEN data::text ELSE '' END AS text
         FROM job WHERE queue = $1 AND id = ANY ($2) AND state = 'failed'`,
        [queue, jobIds, maxTextBytes],
      );
      return rows.map((row) => ({
        jobId: row.id,
        addedAtMs: Number(row.added_at_ms),
        failedAtMs: Number(row.finished_at_ms),
        deliveries: row.attempts_started,
        reason: row.failed_reason,
        text: row.text,
      }));
    },
  };
}

interface FailedRow {
  readonly id: string;
  /** bigint arrives as text. */
  readonly added_at_ms: string;
  readonly finished_at_ms: string;
  readonly attempts_started: number;
  readonly failed_reason: string;
  readonly text: string;
}
