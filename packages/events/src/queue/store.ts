import type { BackendFactory, IQueueBackend } from 'bullmq';

/** Where the queues live; hides which of the two it is. */
export interface QueueStore {
  /** What BullMQ calls for each queue and worker. */
  readonly createBackend: BackendFactory<IQueueBackend, QueueStore>;
  readonly view: StoreView;
  /** PostgreSQL: its pools, which become more with each worker; elsewhere none. */
  readonly pools: () => readonly ConnectionPool[];
  /**
   * Mends what clocks that ran ahead left behind; `claimMs` is how long a claim of this client lasts. Undefined where
   * the store goes by its own clock; one that has it takes the clients' word for the time.
   */
  readonly repairTimes?: (queue: string, claimMs: number) => Promise<number>;
  /** Closes the connections; rejects at the deadline, after which they are no longer waited for. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

/**
 * How a pool of `pg` is used. Not its own type: what the index exports must compile where one of the drivers is missing,
 * also without skipLibCheck.
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
  /** False for who only adds jobs: what BullMQ's statements look like then does not matter. */
  readonly readsJobs: boolean;
}

/** A setting of the queue's store with which acknowledged jobs can get lost or stuck. */
export interface QueueDurabilityProblem {
  readonly setting: 'appendonly' | 'maxmemory-policy' | 'clock';
  readonly got: string;
  /** What is wrong, why it matters and what to set. */
  readonly message: string;
}

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

/** States whose jobs are listed; failed ones are rejected events, which have their own view. */
export const LISTED_STATES = ['waiting', 'active', 'delayed'] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** A job that is not done yet, as a list of many shows it. */
export interface ListedJob {
  readonly jobId: string;
  readonly name: string;
  /** In ms since 1970, as the two below; NaN where that cannot be read. */
  readonly addedAtMs: number;
  /** When a worker took it last; NaN before. */
  readonly claimedAtMs: number;
  /** When a delayed job may be taken; NaN for others. */
  readonly dueAtMs: number;
  readonly deliveries: number;
  /** Size of its data. */
  readonly bytes: number;
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
  /** In the order in which they are taken: the oldest claim first, or the one that is due first. */
  readonly listJobs: (
    queue: string,
    state: ListedState,
    page: { readonly offset: number; readonly limit: number },
  ) => Promise<readonly ListedJob[]>;
  /** True while nothing is taken from a queue, until somebody resumes it. */
  readonly isPaused: (queue: string) => Promise<boolean>;
  /** How long the oldest job without a priority has waited, in seconds; undefined where none waits, or it cannot be read. */
  readonly readOldestWait: (queue: string) => Promise<number | undefined>;
  /**
   * How many jobs were completed since the moment that `since` stands for, and what stands for now; undefined: none yet. A
   * store remembers about 10,000 of what happened, so who counts many asks often.
   */
  readonly countCompleted: (
    queue: string,
    since: string | undefined,
  ) => Promise<{ readonly jobs: number; readonly now: string }>;
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
