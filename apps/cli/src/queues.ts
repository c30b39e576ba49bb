import { type EventQueue, openQueueBackend, QUEUE_NAMES, type QueueBackend } from '@takt/events';
import { askQueue } from '@takt/rejected-events';

export { askQueue, listFailedJobs, readJob } from '@takt/rejected-events';

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
