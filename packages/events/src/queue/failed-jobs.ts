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
