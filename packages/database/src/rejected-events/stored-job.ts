import { type EventQueue, standsForOversizedData } from '@takt/events';
import { withDeadline } from '@takt/run';

const ANSWER_DEADLINE_MS = 10_000;

/** Passes on what a queue answers; while its store is away BullMQ would wait for ever. */
export function askQueue<Answer>(
  queue: Pick<EventQueue, 'name'>,
  what: string,
  answer: Promise<Answer>,
): Promise<Answer> {
  return withDeadline(answer, ANSWER_DEADLINE_MS, () => {
    throw new Error(`${what} of the queue ${queue.name} took longer than ${ANSWER_DEADLINE_MS} ms`);
  });
}

/** Which job: job ids are unique in their queue only. */
export interface JobKey {
  readonly queue: EventQueue;
  readonly jobId: string;
}

/** A job as it is stored. Any client may have put it there, so its data may be anything. */
export interface StoredJob {
  readonly key: JobKey;
  readonly name: string;
  /** When it was added, in ms since 1970; NaN where that cannot be read. */
  readonly addedAtMs: number;
  /** When it completed or failed, in ms since 1970; NaN before, or where that cannot be read. */
  readonly finishedAtMs: number;
  /** Why it failed, if it has. */
  readonly failedReason: string;
  readonly deliveries: number;
  /** Its data as they are stored: JSON, unless another client wrote something else. */
  readonly text: string;
  /** False: its options are no JSON, and BullMQ can do nothing with it but remove it. */
  readonly isReadable: boolean;
  /** False: too large to be read; `text` is what stands for it, and its data are in the queue alone. */
  readonly isWhole: boolean;
}

/** Reads a job; undefined where it is gone. Content that cannot be read is told, not thrown. */
export async function readJob(key: JobKey): Promise<StoredJob | undefined> {
  try {
    // Not through BullMQ's Job, which throws for data that is not JSON.
    const asked = key.queue.getBackend().getJobData(key.jobId);
    const job = await askQueue(key.queue, 'reading a job', asked);
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
  /** The newest first; otherwise the oldest. */
  readonly newestFirst?: boolean;
  /** How many at the begin to leave out. Default 0. */
  readonly start?: number;
  /** No more than so many, 1 or more. */
  readonly limit?: number;
}

/**
 * The ids of the jobs in a queue's failed set at this moment. Who wants all of them asks for all at once: PostgreSQL has
 * no order among jobs that failed in the same millisecond, so pages that are asked for one by one would leave some
 * out, and others would move while jobs fail or are retried.
 */
export async function listFailedJobs(
  queue: EventQueue,
  { newestFirst = false, start = 0, limit }: ListOptions = {},
): Promise<readonly JobKey[]> {
  const end = limit === undefined ? -1 : start + limit - 1;
  const asked = queue.getRanges(['failed'], start, end, !newestFirst);
  const jobIds = await askQueue(queue, 'listing the rejected events', asked);
  return jobIds.map((jobId) => ({ queue, jobId }));
}
