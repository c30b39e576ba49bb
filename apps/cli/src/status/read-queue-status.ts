import type { EventQueue } from '@takt/events';
import { askQueue } from '../queues/ask-queue.js';
import { countJobs, countWorkers, type JobCounts } from '../queues/count-jobs.js';
import { readJob } from '../queues/read-job.js';

export interface QueueStatus extends JobCounts {
  readonly queue: string;
  /** Workers that are connected; null where the store does not tell. */
  readonly workers: number | null;
  /** Age of the oldest job that waits; null where none waits. */
  readonly lagSeconds: number | null;
}

export async function readQueueStatus(queue: EventQueue): Promise<QueueStatus> {
  const [counts, workers, lagSeconds] = await Promise.all([
    countJobs(queue),
    countWorkers(queue),
    readLagSeconds(queue),
  ]);
  return { queue: queue.name, ...counts, workers: workers ?? null, lagSeconds };
}

async function readLagSeconds(queue: EventQueue): Promise<number | null> {
  const asked = queue.getRanges(['waiting'], 0, 0, true);
  const [oldest] = await askQueue(queue, 'finding the oldest job', asked);
  if (oldest === undefined) return null;
  // A job that a worker has just taken no longer waits.
  const job = await readJob({ queue, jobId: oldest });
  const ageMs = Date.now() - (job?.addedAtMs ?? Number.NaN);
  return Number.isNaN(ageMs) ? null : Math.max(0, ageMs / 1_000);
}
