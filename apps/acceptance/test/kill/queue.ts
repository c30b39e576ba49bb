import { setTimeout as delay } from 'node:timers/promises';
import { openPublisher, openQueueBackend, type Publisher } from '@takt/events';
import { waitUntil } from '@takt/test-support';

/** The queue of completions and reopenings as an operator sees it. */
export interface ObservedQueue {
  countWaiting(): Promise<number>;
  countActive(): Promise<number>;
  /** How often the claimed job that was claimed most often has been; 0 where none is claimed. */
  countClaimsOfActive(): Promise<number>;
  /** Jobs that wait, are claimed or are put off; where the store does not answer it rejects. */
  countUnfinished(): Promise<number>;
  describeUnfinished(): Promise<string[]>;
  describeFailed(): Promise<string[]>;
  /** Waits until no job is unfinished, for as long as the deadline allows; what is left is for the verification. */
  drain(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

const UNFINISHED = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;
const POLL_MS = 100;
const CLOSE_DEADLINE_MS = 2_000;

/** Opens a look at the queue of completions and reopenings; does not mind that the store goes away and comes back. */
export async function observeQueue(queueUrl: string): Promise<ObservedQueue> {
  const backend = await openQueueBackend(queueUrl, {
    onError: () => undefined,
    closeDeadlineMs: CLOSE_DEADLINE_MS,
  });
  const queue = backend.openQueue('work-order-operations');
  const countUnfinished = async () => {
    const counts = await queue.getJobCounts(...UNFINISHED);
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  };
  return {
    countWaiting: () => queue.getWaitingCount(),
    countActive: () => queue.getActiveCount(),
    countClaimsOfActive: async () => {
      const jobs = await queue.getActive();
      return Math.max(0, ...jobs.map((job) => job.attemptsStarted));
    },
    countUnfinished,
    describeUnfinished: async () => {
      const counts = Object.entries(await queue.getJobCounts(...UNFINISHED));
      return counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`);
    },
    describeFailed: async () => {
      const jobs = await queue.getFailed();
      return jobs.map((job) => `${job.id} (${job.name}): ${job.failedReason}`);
    },
    drain: (deadlineMs) =>
      waitUntil(
        'the queue is empty',
        async () => (await countUnfinished().catch(() => 1)) === 0,
        deadlineMs,
        POLL_MS,
      ).catch(() => undefined),
    close: () => backend.close(),
  };
}

/** What a producer does that must not lose an event: it publishes again until the queue has acknowledged. */
export interface PersistentPublisher {
  publish(events: readonly object[], batchSize: number): Promise<void>;
  close(): Promise<void>;
}

const DEADLINE_MS = 120_000;
const RETRY_MS = 200;
const ADD_DEADLINE_MS = 5_000;

export async function openPersistentPublisher(queueUrl: string): Promise<PersistentPublisher> {
  const publisher = await openPublisher(queueUrl, { addDeadlineMs: ADD_DEADLINE_MS, closeDeadlineMs: 2_000 });
  return {
    publish: (events, batchSize) => publishUntilAcknowledged(publisher, events, batchSize),
    close: () => publisher.close(),
  };
}

async function publishUntilAcknowledged(
  publisher: Publisher,
  events: readonly object[],
  batchSize: number,
): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      await publisher.publish(events, { batchSize });
      return;
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await delay(RETRY_MS);
    }
  }
}
