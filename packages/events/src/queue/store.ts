import type { BackendFactory, IQueueBackend } from 'bullmq';

/** The store of the queues, independent of its kind. */
export interface QueueStore {
  /** BullMQ calls it for each queue and worker. */
  readonly createBackend: BackendFactory<IQueueBackend, QueueStore>;
  readonly view: StoreView;
  /** PostgreSQL: its pools, one more for each worker; Redis: none. */
  readonly pools: () => readonly ConnectionPool[];
  /**
   * Repairs times from clients whose clocks were ahead; `claimMs` is the duration of this client's claims. Undefined if
   * the store uses its own clock instead of its clients'.
   */
  readonly repairTimes?: (queue: string, claimMs: number) => Promise<number>;
  /** Closes the connections; rejects at the deadline and abandons them. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

/**
 * The part of a pool of `pg` that is used. Not pg's own type, because exported types must compile without one of the
 * drivers, also without skipLibCheck.
 */
export interface ConnectionPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max?: number | undefined };
}

export interface QueueStoreSettings {
  readonly connectDeadlineMs: number;
  readonly onError: (error: Error) => void;
  readonly maxPostgresConnections: number;
  /** False for a producer, which need not know BullMQ's reading statements. */
  readonly readsJobs: boolean;
}

/** A setting of the store that may lose or block acknowledged jobs. */
export interface QueueDurabilityProblem {
  readonly setting: 'appendonly' | 'maxmemory-policy' | 'clock';
  readonly got: string;
  /** The problem, its effect and the right setting. */
  readonly message: string;
}

/** A failed job and the time of its failure: a retried job that fails again has another time. */
export interface FailedJobKey {
  readonly jobId: string;
  /** In ms since 1970. */
  readonly failedAtMs: number;
}

/** A failed job, as lists show it. */
export interface FailedJob extends FailedJobKey {
  /** In ms since 1970. */
  readonly addedAtMs: number;
  readonly deliveries: number;
  readonly reason: string;
  /** Its stored data; empty if larger than requested. */
  readonly text: string;
}

/** Reads many failed jobs by one query, unlike BullMQ. */
export interface FailedJobsView {
  /** Newest first, at most `limit`. */
  readonly listFailedJobs: (queue: string, limit: number) => Promise<readonly FailedJobKey[]>;
  /** Reads those of the jobs that exist and have failed; in any order. */
  readonly readFailedJobs: (
    queue: string,
    jobIds: readonly string[],
    maxTextBytes: number,
  ) => Promise<readonly FailedJob[]>;
}

/** States with a list; failed jobs are rejected events, which have their own view. */
export const LISTED_STATES = ['waiting', 'active', 'delayed'] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** An unfinished job, as lists show it. */
export interface ListedJob {
  readonly jobId: string;
  readonly name: string;
  /** In ms since 1970, like the two below; NaN if unreadable. */
  readonly addedAtMs: number;
  /** When a worker last claimed it; NaN before. */
  readonly claimedAtMs: number;
  /** When a delayed job becomes available; NaN for others. */
  readonly dueAtMs: number;
  readonly deliveries: number;
  /** Size of its data. */
  readonly bytes: number;
}

export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

export const STUCK_AFTER_MS = 60_000;

/** Jobs that were claimed long ago and are not done. */
export interface StuckJobs {
  readonly jobs: number;
  /** Time since the oldest such claim, in ms by the store's clock; 0 without any. */
  readonly longestMs: number;
}

export interface Claim {
  readonly jobId: string;
  readonly token: string;
}

/** Queries of a store that BullMQ lacks. Each call may wait as long as the store is down. */
export interface StoreView extends FailedJobsView {
  /** Waiting jobs include those with a priority and those of a paused queue. */
  readonly countJobs: (queue: string) => Promise<JobCounts>;
  /** In the order of processing: the oldest claim, or the earliest due time, first. */
  readonly listJobs: (
    queue: string,
    state: ListedState,
    page: { readonly offset: number; readonly limit: number },
  ) => Promise<readonly ListedJob[]>;
  readonly isPaused: (queue: string) => Promise<boolean>;
  /** Seconds that the oldest job without a priority has waited; undefined if none waits or its time is unreadable. */
  readonly readOldestWait: (queue: string) => Promise<number | undefined>;
  /**
   * Returns the number of jobs completed since the cursor `since`, and a new cursor. Pass undefined as the first
   * cursor. A store remembers about 10,000 completions, so call it often.
   */
  readonly countCompleted: (
    queue: string,
    since: string | undefined,
  ) => Promise<{ readonly jobs: number; readonly now: string }>;
  /** The number of workers connected to a queue. Rejects if the store does not report it. */
  readonly countWorkers: (queue: string) => Promise<number>;
  /** The store's clock, in ms since 1970. */
  readonly readClockMs: () => Promise<number>;
  /**
   * Counts jobs claimed 60 s ago or more: they have no worker, or make no progress. A claim time more than 60 s in the
   * future is wrong, so that job counts too.
   */
  readonly countStuckJobs: (queue: string) => Promise<StuckJobs>;
  readonly findClaims: (queue: string, tokens: readonly string[]) => Promise<readonly Claim[]>;
}

/** Seconds since a job was added, by the clock of this process; undefined if the time is unreadable. */
export function waitSince(addedAt: unknown): number | undefined {
  const ageMs = Date.now() - Number(addedAt ?? Number.NaN);
  return Number.isNaN(ageMs) ? undefined : Math.max(0, ageMs / 1_000);
}
