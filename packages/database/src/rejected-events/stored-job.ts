import { type EventQueue, standsForOversizedData } from '@takt/events';
import { withDeadline } from '@takt/run';

const ANSWER_DEADLINE_MS = 10_000;

/** Resolves with a queue's answer; without a deadline BullMQ would wait for its store for ever. */
export function askQueue<Answer>(
  queue: Pick<EventQueue, 'name'>,
  what: string,
  answer: Promise<Answer>,
): Promise<Answer> {
  return withDeadline(answer, ANSWER_DEADLINE_MS, () => {
    throw new Error(`${what} of the queue ${queue.name} took longer than ${ANSWER_DEADLINE_MS} ms`);
  });
}

/** Job ids are unique only within their queue. */
export interface JobKey {
  readonly queue: EventQueue;
  readonly jobId: string;
}

/** A stored job. Any client may have added it, so its data may be anything. */
export interface StoredJob {
  readonly key: JobKey;
  readonly name: string;
  /** When it was added, in ms since 1970; NaN if unreadable. */
  readonly addedAtMs: number;
  /** When it completed or failed, in ms since 1970; NaN before, or if unreadable. */
  readonly finishedAtMs: number;
  /** The reason of its failure, if any. */
  readonly failedReason: string;
  readonly deliveries: number;
  /** The stored data: JSON, unless another client wrote something else. */
  readonly text: string;
  /** False: its options are not JSON, and BullMQ can only remove it. */
  readonly isReadable: boolean;
  /** False: too large to read; `text` is a substitute, and only the queue has the data. */
  readonly isWhole: boolean;
}

/** Reads a job; undefined if it is gone. Unreadable content is marked, not thrown. */
export async function readJob(key: JobKey): Promise<StoredJob | undefined> {
  try {
    // BullMQ's Job would throw for data that are not JSON.
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
      isReadable: true,
      isWhole: !standsForOversizedData(job.data),
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
      isReadable: false,
      isWhole: true,
    };
  }
}

export interface ListOptions {
  /** Newest first; default oldest first. */
  readonly newestFirst?: boolean;
  /** Number of jobs to skip. Default 0. */
  readonly start?: number;
  /** Maximum, 1 or more. */
  readonly limit?: number;
}

/**
 * The ids of the jobs in a queue's failed set. Request all of them at once. Separate pages could miss some: PostgreSQL
 * does not order jobs that failed in the same millisecond, and jobs move while others fail or are retried.
 */
export async function listFailedJobs(
  queue: EventQueue,
  { newestFirst = false, start = 0, limit }: ListOptions = {},
): Promise<readonly JobKey[]> {
  const end = limit === undefined ? -1 : start + limit - 1;
  const reading = queue.getRanges(['failed'], start, end, !newestFirst);
  const jobIds = await askQueue(queue, 'listing the rejected events', reading);
  return jobIds.map((jobId) => ({ queue, jobId }));
}
