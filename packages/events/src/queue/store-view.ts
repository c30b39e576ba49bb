import type { FailedJobsView } from './failed-jobs.js';

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
  /** The store's clock, in ms since 1970. */
  readonly readClockMs: () => Promise<number>;
  /**
   * Counts the claimed jobs that were claimed `forMs` ago or more. One whose claim was stamped further ahead than that
   * is counted as well: its stamp says nothing.
   */
  readonly countStuckJobs: (queue: string, forMs: number) => Promise<StuckJobs>;
  /** The claims that are made with any of these tokens. */
  readonly findClaims: (queue: string, tokens: readonly string[]) => Promise<readonly Claim[]>;
}
