import { setTimeout as delay } from 'node:timers/promises';
import type { EventQueue } from '../queue/queue-backend.js';
import { DeadlineExceededError, withDeadline } from '../queue/with-deadline.js';
import { chunksOf, type PlannedJob } from './plan-jobs.js';

/** Adds jobs to one queue, and waits while the queue is full. */
export interface QueueWriter {
  /** Adds the jobs, which contain up to `batchSize` events each. Rejects like Publisher.publish. */
  readonly write: (jobs: readonly PlannedJob[], batchSize: number) => Promise<void>;
}

export interface QueueWriterSettings {
  /** Maximum number of waiting jobs in the queue. If undefined, it is 200,000, or less if the batches are large. */
  readonly maxWaitingJobs: number | undefined;
  /** Maximum time to wait until a full queue has room again, in milliseconds. */
  readonly roomDeadlineMs: number;
  /** Time in milliseconds between two counts of the jobs in a full queue. */
  readonly roomPollMs: number;
  /** Maximum time in milliseconds of an addition with its retries, and of a count of the waiting jobs. */
  readonly addDeadlineMs: number;
}

/** Maximum number of events that are sent to the store in one round trip. */
const MAX_EVENTS_PER_ADDITION = 10_000;
const MAX_JOBS_PER_ADDITION = 1_000;
const MAX_WAITING_JOBS = 200_000;
/**
 * Maximum number of events that may wait in a queue. They take about eight gigabytes in Redis if all waiting jobs have
 * the batch size of this publisher.
 */
const MAX_WAITING_EVENTS = 20_000_000;
/**
 * Time for which a count of the waiting jobs is used. It is short, because other publishers add jobs to the same queue.
 */
const COUNT_VALID_MS = 1_000;
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 200;

/** Opens a writer for `queue`. `limit` bounds the number of events that all writers together are adding. */
export function openQueueWriter(
  queue: EventQueue,
  limit: InFlightLimit,
  settings: QueueWriterSettings,
): QueueWriter {
  const waitForRoom = createBackpressure(queue, settings);
  return {
    write: async (jobs, batchSize) => {
      const jobsPerAddition = Math.min(
        MAX_JOBS_PER_ADDITION,
        Math.floor(MAX_EVENTS_PER_ADDITION / batchSize),
      );
      const maxWaitingJobs =
        settings.maxWaitingJobs ?? Math.min(MAX_WAITING_JOBS, MAX_WAITING_EVENTS / batchSize);
      for (const chunk of chunksOf(jobs, jobsPerAddition)) {
        await waitForRoom(chunk.length, maxWaitingJobs);
        await limit.run(chunk.length * batchSize, settings.roomDeadlineMs, () =>
          addJobs(queue, chunk, settings.addDeadlineMs),
        );
      }
    },
  };
}

/**
 * Delays additions while a queue is full. While the queue has room, its jobs are counted at most once a second. The
 * returned function resolves once fewer than `maxWaitingJobs` jobs are waiting, and counts `jobs` as added. It rejects
 * with a DeadlineExceededError if the queue stays full for too long, or does not answer. An answer may take as long as
 * an addition, because the first one includes connecting.
 */
function createBackpressure(queue: EventQueue, settings: QueueWriterSettings) {
  const { roomDeadlineMs, roomPollMs, addDeadlineMs } = settings;
  let countedAt = Number.NEGATIVE_INFINITY;
  let waitingJobs = 0;

  const count = async () => {
    const counting = queue.getJobCountByTypes('waiting', 'prioritized', 'delayed');
    waitingJobs = await withDeadline(`counting the jobs in the queue ${queue.name}`, addDeadlineMs, counting);
    countedAt = performance.now();
  };
  const waitForRoom = async (maxWaitingJobs: number) => {
    await count();
    const endsAt = performance.now() + roomDeadlineMs;
    while (waitingJobs >= maxWaitingJobs) {
      if (performance.now() > endsAt) {
        throw new DeadlineExceededError(`waiting for room in the queue ${queue.name}`, roomDeadlineMs);
      }
      await delay(roomPollMs);
      await count();
    }
  };
  const hasRoom = (maxWaitingJobs: number) =>
    waitingJobs < maxWaitingJobs && performance.now() - countedAt <= COUNT_VALID_MS;

  return async (jobs: number, maxWaitingJobs: number): Promise<void> => {
    if (!hasRoom(maxWaitingJobs)) await waitForRoom(maxWaitingJobs);
    // Until the next count, all added jobs are counted as waiting, although workers may already have taken some of
    // them.
    waitingJobs += jobs;
  };
}

/**
 * Adds the jobs, and retries if the addition fails. On Redis a failed addition may have added some of the jobs, because
 * it is a pipeline and not a transaction; the retry ignores these jobs by their ids. Rejects with the last error, or
 * with a DeadlineExceededError. In both cases it is safe to add the jobs again.
 */
async function addJobs(queue: EventQueue, jobs: readonly PlannedJob[], deadlineMs: number): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  for (let attempt = 1; ; attempt++) {
    try {
      const remainingMs = Math.max(0, endsAt - performance.now());
      await withDeadline(`adding jobs to the queue ${queue.name}`, remainingMs, queue.addBulk([...jobs]));
      return;
    } catch (error) {
      const retryMs = FIRST_RETRY_MS * 2 ** (attempt - 1);
      const isOver = attempt === MAX_ATTEMPTS || performance.now() + retryMs >= endsAt;
      if (isOver || error instanceof DeadlineExceededError) throw error;
      await delay(retryMs);
    }
  }
}

/**
 * Limits the total size of the work that runs at the same time. Work that waits starts in the order of its requests.
 */
export interface InFlightLimit {
  /**
   * Runs the work as soon as there is room for its size. Work that is larger than the limit runs alone. If waiting
   * takes too long, rejects with a DeadlineExceededError and does not run the work.
   */
  readonly run: <Result>(size: number, deadlineMs: number, work: () => Promise<Result>) => Promise<Result>;
}

interface Waiting {
  readonly size: number;
  start: () => void;
}

/** Creates a limit for running work. `limit` has the same unit as the sizes given to `run`. */
export function createInFlightLimit(limit: number): InFlightLimit {
  const waiting: Waiting[] = [];
  let inFlight = 0;

  const startWaiting = () => {
    for (let next = waiting[0]; next !== undefined && inFlight + next.size <= limit; next = waiting[0]) {
      waiting.shift();
      inFlight += next.size;
      next.start();
    }
  };
  const admit = async (size: number, deadlineMs: number) => {
    const entry: Waiting = { size, start: () => undefined };
    const started = new Promise<void>((resolve) => {
      entry.start = resolve;
    });
    waiting.push(entry);
    startWaiting();
    try {
      await withDeadline('waiting for earlier events to be added', deadlineMs, started);
    } catch (error) {
      const position = waiting.indexOf(entry);
      if (position >= 0) {
        waiting.splice(position, 1);
        startWaiting();
        throw error;
      }
      // The work got its turn exactly when the deadline passed. Because it is already counted as running, it runs.
    }
  };

  return {
    run: async (size, deadlineMs, work) => {
      const counted = Math.min(size, limit);
      await admit(counted, deadlineMs);
      try {
        return await work();
      } finally {
        inFlight -= counted;
        startWaiting();
      }
    },
  };
}
