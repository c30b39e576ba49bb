import { type EventQueue, openQueueBackend, QUEUE_NAMES, type QueueBackend } from '@takt/events';
import { withDeadline } from '@takt/runtime';

/** Both queues of the contract, to look into and to change. */
export interface Queues {
  readonly all: readonly EventQueue[];
  readonly countStuckJobs: QueueBackend['countStuckJobs'];
  close(): Promise<void>;
}

/** Opens both queues. Rejects as openQueueBackend does. */
export async function openQueues(queueUrl: string): Promise<Queues> {
  // Errors without a caller also fail the call that follows.
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
  const { countStuckJobs, close } = backend;
  return { all: QUEUE_NAMES.map((name) => backend.openQueue(name)), countStuckJobs, close };
}

const ANSWER_DEADLINE_MS = 10_000;

/** Passes on what a queue answers; while its store is away BullMQ would wait for ever. */
export function askQueue<Answer>(queue: EventQueue, what: string, answer: Promise<Answer>): Promise<Answer> {
  return withDeadline(answer, ANSWER_DEADLINE_MS, () => {
    throw new Error(`${what} of the queue ${queue.name} took longer than ${ANSWER_DEADLINE_MS} ms`);
  });
}

/** How many jobs of a queue are in which state. */
export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** Counts the jobs of a queue, those with a priority among the waiting. Rejects where the queue does not answer. */
export async function countJobs(queue: EventQueue): Promise<JobCounts> {
  const asked = queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
  const counts = await askQueue(queue, 'counting the jobs', asked);
  return {
    waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
    active: counts['active'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    failed: counts['failed'] ?? 0,
  };
}

/** How many workers are connected to a queue, or undefined where the store does not tell. */
export async function countWorkers(queue: EventQueue): Promise<number | undefined> {
  try {
    return await askQueue(queue, 'counting the workers', queue.getWorkersCount());
  } catch {
    return undefined;
  }
}

/** Which job: job ids are unique in their queue only. */
export interface JobKey {
  readonly queue: EventQueue;
  readonly jobId: string;
}

/** A job as it is stored. Any client may have put it there, so its data may be anything. */
export interface StoredJob {
  readonly key: JobKey;
  /** When it was added, in ms since 1970; NaN where that cannot be read. */
  readonly addedAtMs: number;
  /** When it completed or failed, in ms since 1970; NaN before, or where that cannot be read. */
  readonly finishedAtMs: number;
  /** Why it failed, if it has. */
  readonly failedReason: string;
  readonly deliveries: number;
  /** The event or events; the text itself where it is not JSON. */
  readonly data: unknown;
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
      addedAtMs: Number(job.timestamp),
      finishedAtMs: job.finishedOn ?? Number.NaN,
      failedReason: job.failedReason ?? '',
      deliveries: job.attemptsStarted,
      data: parseOrKeep(job.data),
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const failedReason = `the job cannot be read, its options are not JSON: ${error.message}`;
    return {
      key,
      addedAtMs: Number.NaN,
      finishedAtMs: Number.NaN,
      failedReason,
      deliveries: 0,
      data: null,
    };
  }
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface ListOptions {
  /** The newest first; otherwise the oldest. */
  readonly newestFirst?: boolean;
  /** No more than so many, 1 or more. */
  readonly limit?: number;
}

/** What a page reads at once may be megabytes for each job. */
const JOBS_PER_PAGE = 100;

/**
 * What stands in a queue's failed set now, page by page. The ids are asked for at once: PostgreSQL has no order among
 * jobs that failed in the same millisecond, so pages that are asked for one by one would leave some out.
 */
export async function* listFailedJobs(
  queue: EventQueue,
  { newestFirst = false, limit }: ListOptions = {},
): AsyncGenerator<readonly JobKey[]> {
  const asked = queue.getRanges(['failed'], 0, limit === undefined ? -1 : limit - 1, !newestFirst);
  const jobIds = await askQueue(queue, 'listing the rejected events', asked);
  for (let start = 0; start < jobIds.length; start += JOBS_PER_PAGE) {
    yield jobIds.slice(start, start + JOBS_PER_PAGE).map((jobId) => ({ queue, jobId }));
  }
}
