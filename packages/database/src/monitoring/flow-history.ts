import type pg from 'pg';
import type { Outcomes } from './worker-reports.js';

/** The ranges of the history, as in migration 0033: seconds per slot and in total. */
export const FLOW_RANGES = {
  hour: { slotSeconds: 20, seconds: 3_600 },
  day: { slotSeconds: 300, seconds: 86_400 },
  month: { slotSeconds: 7_200, seconds: 30 * 86_400 },
} as const;
export type FlowRange = keyof typeof FLOW_RANGES;

/** A time slot with reports of workers. */
export interface FlowSlot {
  readonly beginsAt: Date;
  /** Events of all workers. */
  readonly events: Outcomes;
  /** The longest of the workers' medians; null without applied events. */
  readonly completionLagSeconds: number | null;
  readonly publishingLagSeconds: number | null;
  /** The maximum over all queues; null if no worker could count. */
  readonly waitingJobs: number | null;
}

const SUMS = `json_build_object('applied', sum(applied)::float8, 'duplicate', sum(duplicate)::float8,
  'stale', sum(stale)::float8, 'rejected', sum(rejected)::float8) AS events`;

/**
 * The complete slots of a range over all queues, oldest first, without slots that have no report. The role
 * takt_dashboard is enough.
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
  /** Events of all workers in the last 5 minutes. */
  readonly events: Outcomes;
  /** In the last 40 s and the current slot. */
  readonly eventsJustNow: number;
  /** Longest lag since publishing in the last minute, in seconds; null without applied events. */
  readonly lagSeconds: number | null;
  /** The same for the minute that ended 2 minutes ago. */
  readonly lagSecondsBefore: number | null;
  /** Most waiting jobs in the last minute; null if no worker could count. */
  readonly waitingJobs: number | null;
  /** The same for the minute that ended 2 minutes ago. */
  readonly waitingJobsBefore: number | null;
}

/** Period for the share of rejected events and for trends. */
export const RECENT_SECONDS = 300;

/** The recent flow of each queue with reports. The role takt_dashboard is enough. */
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
