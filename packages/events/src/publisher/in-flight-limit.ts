import { withDeadline } from '../queue/with-deadline.js';

/** Lets work of a limited total size run at a time, first come first served. */
export interface InFlightLimit {
  /**
   * Runs the work when there is room for its size; work larger than the limit runs alone. Rejects with a
   * DeadlineExceededError, without having run it, when that takes too long.
   */
  readonly run: <Result>(size: number, deadlineMs: number, work: () => Promise<Result>) => Promise<Result>;
}

interface Waiting {
  readonly size: number;
  start: () => void;
}

/** Limits what is under way at a time to `limit` (in the unit of the sizes given to `run`). */
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
      // Its turn came at the very moment of the deadline: it is counted as in flight, so it goes on.
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
