import type pg from 'pg';
import type { Outcomes } from './worker-reports.js';

/** The ranges of the history, as in the migration that created it: the seconds per slot and the seconds in total. */
export const FLOW_RANGES = {
  hour: { slotSeconds: 20, seconds: 3_600 },
  day: { slotSeconds: 300, seconds: 86_400 },
  month: { slotSeconds: 7_200, seconds: 30 * 86_400 },
} as const;
export type FlowRange = keyof typeof FLOW_RANGES;

/** A time slot for which workers have sent reports. */
export interface FlowSlot {
  readonly beginsAt: Date;
  /** Number of events of all workers, by outcome. */
  readonly events: Outcomes;
  /** Each worker reports a median; this is the longest of them. Null if no events were applied. */
  readonly completionLagSeconds: number | null;
  readonly publishingLagSeconds: number | null;
  /**
   * Number of waiting jobs in all queues together: the sum of the numbers that are recorded for each queue. Null if no
   * worker could count.
   */
  readonly waitingJobs: number | null;
}

const SUMS = `json_build_object('applied', sum(applied)::float8, 'duplicate', sum(duplicate)::float8,
  'stale', sum(stale)::float8, 'rejected', sum(rejected)::float8) AS events`;

/**
 * Returns the complete slots of a range, with all queues together, oldest first. Slots without a report are left out.
 * The role takt_dashboard is enough.
 */
export async function readFlowHistory(pool: pg.Pool, range: FlowRange): Promise<readonly FlowSlot[]> {
  const { slotSeconds, seconds } = FLOW_RANGES[range];
  const { rows } = await pool.query<FlowSlot>(
    `SELECT begins_at AS "beginsAt", ${SUMS}, max(completion_lag_seconds) AS "completionLagSeconds",
       max(publishing_lag_seconds) AS "publishingLagSeconds", sum(waiting_jobs)::float8 AS "waitingJobs"
     FROM takt.flow_history
     WHERE slot_seconds = $1 AND begins_at > now() - make_interval(secs => $2)
       AND begins_at <= now() - make_interval(secs => $1)
     GROUP BY begins_at ORDER BY begins_at`,
    [slotSeconds, seconds],
  );
  return rows;
}

export interface RecentFlow {
  readonly queue: string;
  /** Number of events of all workers in the last 5 minutes, by outcome. */
  readonly events: Outcomes;
  /** Number of events in the last 40 s and in the current slot. */
  readonly eventsJustNow: number;
  /** Longest lag since publishing in the last minute, in seconds. Null if no events were applied. */
  readonly lagSeconds: number | null;
  /**
   * Longest lag since publishing in the minute that ended 2 minutes ago, in seconds. Null if no events were applied.
   */
  readonly lagSecondsBefore: number | null;
  /** Highest number of waiting jobs in the last minute. Null if no worker could count. */
  readonly waitingJobs: number | null;
  /** Highest number of waiting jobs in the minute that ended 2 minutes ago. Null if no worker could count. */
  readonly waitingJobsBefore: number | null;
}

/** Length of the period from which the share of rejected events and the trends are computed. */
export const RECENT_SECONDS = 300;

/** Reads the recent flow of each queue for which there are reports. The role takt_dashboard is enough. */
export async function readRecentFlow(pool: pg.Pool): Promise<readonly RecentFlow[]> {
  const { rows } = await pool.query<RecentFlow>(
    `SELECT queue, ${SUMS},
       coalesce(sum(applied + duplicate + stale + rejected) FILTER (WHERE ago < '40 s'), 0)::float8 AS "eventsJustNow",
       max(publishing_lag_seconds) FILTER (WHERE ago < '60 s') AS "lagSeconds",
       max(publishing_lag_seconds) FILTER (WHERE ago >= '120 s' AND ago < '180 s') AS "lagSecondsBefore",
       (max(waiting_jobs) FILTER (WHERE ago < '60 s'))::float8 AS "waitingJobs",
       (max(waiting_jobs) FILTER (WHERE ago >= '120 s' AND ago < '180 s'))::float8 AS "waitingJobsBefore"
     FROM (SELECT *, now() - begins_at - make_interval(secs => slot_seconds) AS ago FROM takt.flow_history) AS slots
     WHERE slot_seconds = $1 AND begins_at > now() - make_interval(secs => $2)
     GROUP BY queue ORDER BY queue`,
    [FLOW_RANGES.hour.slotSeconds, RECENT_SECONDS],
  );
  return rows;
}
