import { setTimeout as delay } from 'node:timers/promises';
import type { EventQueue } from '../queue/queue-backend.js';
import { DeadlineExceededError, withDeadline } from '../queue/with-deadline.js';
import { chunksOf, type PlannedJob } from './plan-jobs.js';

/** Adds jobs to one queue, and waits while the queue is full. */
export interface QueueWriter {
  /** Adds jobs of up to `batchSize` events each; rejects like Publisher.publish. */
  readonly write: (jobs: readonly PlannedJob[], batchSize: number) => Promise<void>;
}

export interface QueueWriterSettings {
  /** Undefined: 200,000, or fewer for large batches. */
  readonly maxWaitingJobs: number | undefined;
  /** Maximum time of a wait for room. */
  readonly roomDeadlineMs: number;
  /** Interval between counts of a full queue. */
  readonly roomPollMs: number;
  readonly addDeadlineMs: number;
}

/** Maximum number of events per round trip. */
const MAX_EVENTS_PER_ADDITION = 10_000;
const MAX_JOBS_PER_ADDITION = 1_000;
const MAX_WAITING_JOBS = 200_000;
/** About eight gigabytes in Redis, if all waiting jobs have our batch size. */
const MAX_WAITING_EVENTS = 20_000_000;
/** Other publishers add to the queue, so a count is useful only for a short time. */
const COUNT_VALID_MS = 1_000;
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 200;

/** Opens a writer of `queue`; `limit` bounds the running events of all writers together. */
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
 * Delays additions while a queue is full, and counts its jobs at most once a second while there is room. The returned
 * function resolves once fewer than `maxWaitingJobs` are waiting, and counts `jobs` as added. It rejects with a
 * DeadlineExceededError if the queue stays full, or does not answer, for too long.
 */
function createBackpressure(queue: EventQueue, { roomDeadlineMs, roomPollMs }: QueueWriterSettings) {
  let countedAt = Number.NEGATIVE_INFINITY;
  let waitingJobs = 0;

  const hasRoom = (maxWaitingJobs: number) =>
    waitingJobs < maxWaitingJobs && performance.now() - countedAt <= COUNT_VALID_MS;
  const pollForRoom = async (maxWaitingJobs: number, signal: AbortSignal) => {
    while (!hasRoom(maxWaitingJobs) && !signal.aborted) {
      waitingJobs = await queue.getJobCountByTypes('waiting', 'prioritized', 'delayed');
      countedAt = performance.now();
      if (waitingJobs >= maxWaitingJobs) {
        await delay(roomPollMs);
      }
    }
  };

  const waitForRoom = async (maxWaitingJobs: number) => {
    const expiry = new AbortController();
    try {
      const polling = pollForRoom(maxWaitingJobs, expiry.signal);
      await withDeadline(`waiting for room in the queue ${queue.name}`, roomDeadlineMs, polling);
    } finally {
      expiry.abort();
    }
  };

  return async (jobs: number, maxWaitingJobs: number): Promise<void> => {
    if (!hasRoom(maxWaitingJobs)) await waitForRoom(maxWaitingJobs);
    // Until the next count, added jobs count as waiting although workers may have taken them.
    waitingJobs += jobs;
  };
}

/**
 * Adds the jobs, with retries. A failed addition on Redis may have added some (it is a pipeline, not a transaction);
 * the retry ignores those by their ids. Rejects with the last error, or with a DeadlineExceededError; adding the jobs
 * again is then safe.
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

/** Limits the total size of running work, first come first served. */
export interface InFlightLimit {
  /**
   * Runs the work when there is room for its size; work larger than the limit runs alone. Rejects with a
   * DeadlineExceededError, without running the work, if waiting takes too long.
   */
  readonly run: <Result>(size: number, deadlineMs: number, work: () => Promise<Result>) => Promise<Result>;
}

interface Waiting {
  readonly size: number;
  start: () => void;
}

/** Limits running work to `limit`, in the unit of the sizes given to `run`. */
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
      // The work got its turn exactly at the deadline. It is already counted as running, so it runs.
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
