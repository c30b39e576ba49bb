/** Which job failed, and when: one that is retried and fails again has another time. */
export interface FailedJobKey {
  readonly jobId: string;
  /** In ms since 1970. */
  readonly failedAtMs: number;
}

/** A job that failed, as far as a list of many shows it. */
export interface FailedJob extends FailedJobKey {
  /** In ms since 1970. */
  readonly addedAtMs: number;
  readonly deliveries: number;
  readonly reason: string;
  /** Its data as they are stored; empty where they are larger than was asked for. */
  readonly text: string;
}

/** Failed jobs of a queue, many with one question, where BullMQ asks for each. */
export interface FailedJobsView {
  /** The newest first, at most `limit`. */
  readonly listFailedJobs: (queue: string, limit: number) => Promise<readonly FailedJobKey[]>;
  /** Those that are there and failed, in any order. */
  readonly readFailedJobs: (
    queue: string,
    jobIds: readonly string[],
    maxTextBytes: number,
  ) => Promise<readonly FailedJob[]>;
}

/** How many jobs of a queue are in which state. */
export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

export const STUCK_AFTER_MS = 60_000;

/** Jobs that have been claimed for long and are still not done. */
export interface StuckJobs {
  readonly jobs: number;
  /** How long ago the first of them was claimed, in ms by the store's clock; 0 where there is none. */
  readonly longestMs: number;
}

export interface Claim {
  readonly jobId: string;
  readonly token: string;
}

/** What Takt asks of a store, and BullMQ does not. Each call may wait as long as the store is away. */
export interface StoreView extends FailedJobsView {
  /** Those with a priority and those of a paused queue wait too. */
  readonly countJobs: (queue: string) => Promise<JobCounts>;
  /** How long the oldest job without a priority has waited, in seconds; undefined where none waits, or it cannot be read. */
  readonly readOldestWait: (queue: string) => Promise<number | undefined>;
  /** How many workers are connected to a queue. Rejects where the store does not tell. */
  readonly countWorkers: (queue: string) => Promise<number>;
  /** The store's clock, in ms since 1970. */
  readonly readClockMs: () => Promise<number>;
  /**
   * Counts the jobs that were claimed 60 s ago or more: nobody works on them, or whoever does makes no progress. One
   * whose claim was stamped further ahead than that is counted as well: its stamp says nothing.
   */
  readonly countStuckJobs: (queue: string) => Promise<StuckJobs>;
  /** The claims that are made with any of these tokens. */
  readonly findClaims: (queue: string, tokens: readonly string[]) => Promise<readonly Claim[]>;
}

/** Seconds since a job was added, by this clock; undefined where the time cannot be read. */
export function waitSince(addedAt: unknown): number | undefined {
  const ageMs = Date.now() - Number(addedAt ?? Number.NaN);
  return Number.isNaN(ageMs) ? undefined : Math.max(0, ageMs / 1_000);
}
