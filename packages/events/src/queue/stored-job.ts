import type { EventQueue } from './queue-backend.js';
import { withDeadline } from './with-deadline.js';

const ANSWER_DEADLINE_MS = 10_000;

/**
 * Resolves with the answer of a queue, or rejects at a deadline. Without a deadline BullMQ would wait for its store for
 * ever.
 */
export function askQueue<Answer>(
  queue: Pick<EventQueue, 'name'>,
  what: string,
  answer: Promise<Answer>,
): Promise<Answer> {
  return withDeadline(`${what} of the queue ${queue.name}`, ANSWER_DEADLINE_MS, answer);
}

/** Identifies a job. Job ids are unique only within their queue. */
export interface JobKey {
  readonly queue: EventQueue;
  readonly jobId: string;
}

/** A job as it is stored. Any client may have added it, so its data may be anything. */
export interface StoredJob {
  readonly key: JobKey;
  readonly name: string;
  /** Time at which the job was added, in ms since 1970; NaN if unreadable. */
  readonly addedAtMs: number;
  /**
   * Time at which the job completed or failed, in ms since 1970. NaN if it has done neither, or if the time is
   * unreadable.
   */
  readonly finishedAtMs: number;
  /** The reason why the job failed, if it failed. */
  readonly failedReason: string;
  readonly deliveries: number;
  /** The stored data. They are JSON, unless another client wrote something else. */
  readonly text: string;
  /** Size of the data in bytes; NaN if unreadable. */
  readonly bytes: number;
  /** False if the options of the job are not JSON. BullMQ can only remove such a job. */
  readonly isReadable: boolean;
}

/**
 * Reads a job. Returns undefined if the job no longer exists. If content is unreadable, the result is marked and
 * nothing is thrown.
 */
export async function readJob(key: JobKey): Promise<StoredJob | undefined> {
  try {
    // The backend is asked directly, because BullMQ's class Job would throw for data that are not JSON.
    const reading = key.queue.getBackend().getJobData(key.jobId);
    const job = await askQueue(key.queue, 'reading a job', reading);
    if (job === undefined) return undefined;
    return {
      key,
      name: job.name,
      addedAtMs: Number(job.timestamp),
      finishedAtMs: job.finishedOn ?? Number.NaN,
      failedReason: job.failedReason ?? '',
      deliveries: job.attemptsStarted,
      text: job.data,
      bytes: Buffer.byteLength(job.data),
      isReadable: true,
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      key,
      name: '',
      addedAtMs: Number.NaN,
      finishedAtMs: Number.NaN,
      failedReason: `the job cannot be read, its options are not JSON: ${error.message}`,
      deliveries: 0,
      text: 'null',
      bytes: Number.NaN,
      isReadable: false,
    };
  }
}

export interface FailedJobsOptions {
  /** Number of jobs to skip. Default 0. */
  readonly start?: number;
  /** Maximum number of jobs, at least 1. */
  readonly limit?: number;
}

/**
 * Returns the ids of the failed jobs of a queue, the oldest first. Separate pages may miss some, because PostgreSQL does
 * not order jobs that failed in the same millisecond.
 */
export async function listFailedJobs(
  queue: EventQueue,
  { start = 0, limit }: FailedJobsOptions = {},
): Promise<readonly JobKey[]> {
  const end = limit === undefined ? -1 : start + limit - 1;
  const reading = queue.getRanges(['failed'], start, end, true);
  const jobIds = await askQueue(queue, 'listing the failed jobs', reading);
  return jobIds.map((jobId) => ({ queue, jobId }));
}
