import { setTimeout as delay } from 'node:timers/promises';
import type { EventQueue } from '../queue/queue-backend.js';
import { DeadlineExceededError, withDeadline } from '../queue/with-deadline.js';
import type { PlannedJob } from './plan-jobs.js';

const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 200;

/**
 * Adds the jobs, again if that fails: on Redis a failed addition may have added some of them (it is a
 * pipeline, not a transaction), and those are ignored the second time because of their ids. Rejects with the
 * last error, or with a DeadlineExceededError; then some may be in the queue, and adding them again is safe.
 */
export async function addJobs(
  queue: EventQueue,
  jobs: readonly PlannedJob[],
  deadlineMs: number,
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  for (let attempt = 1; ; attempt++) {
    try {
      const remainingMs = Math.max(0, endsAt - performance.now());
      await withDeadline(`adding jobs to the queue ${queue.name}`, remainingMs, queue.addBulk([...jobs]));
      return;
    } catch (error) {
      const retryMs = FIRST_RETRY_MS * 2 ** (attempt - 1);
      const isOver = attempt === MAX_ATTEMPTS || performance.now() + retryMs >= endsAt;
      if (isOver || error instanceof DeadlineExceededError) {
        throw error;
      }
      await delay(retryMs);
    }
  }
}
