import type { EventQueue } from './queue-backend.js';

/** How many jobs of a queue are in which state. */
export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** Counts the jobs of a queue; those with a priority and those of a paused queue wait too. Waits as long as the store is away. */
export async function countJobs(queue: EventQueue): Promise<JobCounts> {
  // In the order in which a job goes: asked at once, one that is taken meanwhile could be counted in neither place.
  const waiting = await countWaiting(queue);
  const counts = await queue.getJobCounts('prioritized', 'active', 'delayed', 'failed');
  return {
    waiting: waiting + (counts['prioritized'] ?? 0),
    active: counts['active'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    failed: counts['failed'] ?? 0,
  };
}

/** Without those that have a priority. BullMQ's own count leaves out the jobs of a paused queue on PostgreSQL. */
async function countWaiting(queue: EventQueue): Promise<number> {
  return (await queue.getCountsPerPriority([0]))['0'] ?? 0;
}

/** So many may be taken between the count of the jobs that wait and the look at the last of them. */
const LAST_JOBS = 1_000;

/**
 * How long the oldest job has waited, in seconds; undefined where none waits, or it cannot be read. Waits as long as the
 * store is away.
 */
export async function readOldestWait(queue: EventQueue): Promise<number | undefined> {
  const waiting = await countWaiting(queue);
  if (waiting === 0) return undefined;
  // Newest first: asked for the oldest first, BullMQ takes its part before it turns the order on PostgreSQL.
  const oldest = (await queue.getRanges(['waiting'], Math.max(0, waiting - LAST_JOBS), -1)).at(-1);
  if (oldest === undefined) return undefined;
  // Not through BullMQ's Job, which throws for data that is not JSON. A job that was just taken no longer waits.
  const job = await queue
    .getBackend()
    .getJobData(oldest)
    .catch((error: unknown) => {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    });
  const ageMs = Date.now() - Number(job?.timestamp);
  return Number.isNaN(ageMs) ? undefined : Math.max(0, ageMs / 1_000);
}
