import type { BackendFactory, IQueueBackend } from 'bullmq';

/** A store of the queues. The interface is the same for Redis and PostgreSQL. */
export interface QueueStore {
  /** Makes BullMQ's backend. BullMQ calls this function for each queue and each worker. */
  readonly createBackend: BackendFactory<IQueueBackend, QueueStore>;
  readonly view: StoreView;
  /** Returns the pools on PostgreSQL: the shared pool, and one pool for each worker. Returns none on Redis. */
  readonly pools: () => readonly ConnectionPool[];
  /**
   * Repairs times that were written by clients whose clocks were ahead. `claimMs` is the duration for which this client
   * claims jobs. Undefined if the store uses its own clock instead of its clients' clocks.
   */
  readonly repairTimes?: (queue: string, claimMs: number) => Promise<number>;
  /** Closes the connections. Rejects at the deadline and abandons the connections that are still open. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

/**
 * The part of a pool of `pg` that Takt uses. It does not use pg's own type, because exported types must compile even if
 * one of the drivers is not installed, also without skipLibCheck.
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
}

/** Describes a setting of the store that may lose or block acknowledged jobs. */
export interface QueueDurabilityProblem {
  readonly setting: 'appendonly' | 'maxmemory-policy' | 'clock';
  readonly got: string;
  /** Text that names the problem, its effect and the right setting. */
  readonly message: string;
}

/** The states for which jobs can be listed. */
export const LISTED_STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** A job with the values that lists show. */
export interface ListedJob {
  readonly jobId: string;
  readonly name: string;
  /** Time at which the job was added, in ms since 1970. It is NaN if unreadable. */
  readonly addedAtMs: number;
  /** Time at which a worker last claimed the job, in ms since 1970; NaN if no worker has claimed it. */
  readonly claimedAtMs: number;
  /** Time at which a delayed job becomes available, in ms since 1970; NaN for jobs that are not delayed. */
  readonly dueAtMs: number;
  /** Time at which a failed job failed, in ms since 1970; NaN for other jobs. */
  readonly failedAtMs: number;
  readonly deliveries: number;
  /** Size of the job's data in bytes. */
  readonly bytes: number;
}

export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** A worker returns this for a job whose only event was rejected. */
export const REJECTED = 'rejected';

export const STUCK_AFTER_MS = 60_000;
/** The first count of completed jobs includes those of so many ms before it. */
export const RECENT_MS = 60_000;

/** Summary of the jobs that were claimed long ago and are not done. */
export interface StuckJobs {
  readonly jobs: number;
  /** Milliseconds since the oldest of these claims, by the store's clock; 0 if there are no such jobs. */
  readonly longestMs: number;
}

/** Queries of a store that BullMQ lacks. While the store is down, a call may wait until the store is up again. */
export interface StoreView {
  /** Counts the jobs of a queue by state. Waiting jobs include jobs with a priority and the jobs of a paused queue. */
  readonly countJobs: (queue: string) => Promise<JobCounts>;
  /**
   * Lists jobs in the order of processing. Active jobs start with the oldest claim, delayed jobs with the earliest due
   * time, failed jobs with the first that failed.
   */
  readonly listJobs: (
    queue: string,
    state: ListedState,
    page: { readonly offset: number; readonly limit: number },
  ) => Promise<readonly ListedJob[]>;
  readonly isPaused: (queue: string) => Promise<boolean>;
  /**
   * Returns the seconds that the oldest job without a priority has waited. Returns undefined if no such job waits or
   * its time is unreadable.
   */
  readonly readOldestWait: (queue: string) => Promise<number | undefined>;
  /**
   * Returns the number of jobs that were completed since the cursor `since`, without jobs whose only event was rejected,
   * and a new cursor. Pass undefined in the
   * first call, which returns those of the last minute. A store remembers only about 10,000 completions, so call this
   * often.
   */
  readonly countCompleted: (
    queue: string,
    since: string | undefined,
  ) => Promise<{ readonly jobs: number; readonly now: string }>;
  /** Returns the number of workers that are connected to a queue. Rejects if the store does not report it. */
  readonly countWorkers: (queue: string) => Promise<number>;
  /** Returns the time of the store's clock, in ms since 1970. */
  readonly readClockMs: () => Promise<number>;
  /**
   * Counts jobs that were claimed 60 s ago or more: they have lost their worker or make no progress. A claim time more
   * than 60 s in the future is wrong, so a job with such a time is counted too.
   */
  readonly countStuckJobs: (queue: string) => Promise<StuckJobs>;
}

/**
 * Returns the seconds since a job was added, by the clock of this process. Returns undefined if the time is unreadable.
 */
export function waitSince(addedAt: unknown): number | undefined {
  const ageMs = Date.now() - Number(addedAt ?? Number.NaN);
  return Number.isNaN(ageMs) ? undefined : Math.max(0, ageMs / 1_000);
}
