import { setTimeout as delay } from 'node:timers/promises';
import type { EventQueue } from '../queue/queue-backend.js';
import { withDeadline } from '../queue/with-deadline.js';

/** Holds publishing back while a queue is too full. */
export interface Backpressure {
  /**
   * Resolves once fewer than `maxWaitingJobs` wait in the queue, and counts `jobs` as added. Rejects with a
   * DeadlineExceededError when the queue stays full, or does not answer, for too long.
   */
  readonly waitForRoom: (jobs: number, maxWaitingJobs: number) => Promise<void>;
}

export interface BackpressureSettings {
  /** How long to wait for room. */
  readonly roomDeadlineMs: number;
  /** How often a full queue is asked again. */
  readonly roomPollMs: number;
}

/** A count older than this says too little, since others publish to the same queue. */
const COUNT_VALID_MS = 1_000;

/** Watches the number of waiting jobs of one queue, asking the store at most once a second while there is room. */
export function createBackpressure(queue: EventQueue, settings: BackpressureSettings): Backpressure {
  const { roomDeadlineMs, roomPollMs } = settings;
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

  return {
    waitForRoom: async (jobs, maxWaitingJobs) => {
      const expiry = new AbortController();
      try {
        const polling = pollForRoom(maxWaitingJobs, expiry.signal);
        await withDeadline(`waiting for room in the queue ${queue.name}`, roomDeadlineMs, polling);
      } finally {
        expiry.abort();
      }
      // What is added until the next count counts as waiting, although workers may be faster.
      waitingJobs += jobs;
    },
  };
}
