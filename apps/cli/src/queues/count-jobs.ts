import type { EventQueue } from '@takt/events';
import { askQueue } from './ask-queue.js';

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
