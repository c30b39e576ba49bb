import {
  countJobs as countJobsOf,
  type EventQueue,
  type JobCounts,
  openQueueBackend,
  QUEUE_NAMES,
  type QueueBackend,
} from '@takt/events';
import { askQueue } from '@takt/rejected-events';

export type { JobCounts } from '@takt/events';
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

/** Rejects where the queue does not answer. */
export function countJobs(queue: EventQueue): Promise<JobCounts> {
  return askQueue(queue, 'counting the jobs', countJobsOf(queue));
}

/** How many workers are connected to a queue, or undefined where the store does not tell. */
export async function countWorkers(queue: EventQueue): Promise<number | undefined> {
  try {
    return await askQueue(queue, 'counting the workers', queue.getWorkersCount());
  } catch {
    return undefined;
  }
}
