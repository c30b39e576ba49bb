import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventInput, openPublisher, prepareEvent } from '@takt/events';
import { BATCH_JOB_NAME, type EventJob, type EventQueue, openQueueBackend } from '@takt/events/internal';
import { waitUntil } from '@takt/test-support';

/** The queue of completions and reopenings, observed as an operator sees it. */
export interface ObservedQueue {
  countWaiting(): Promise<number>;
  countActive(): Promise<number>;
  /** Returns the highest number of times that a currently claimed job has been claimed, or 0 if no job is claimed. */
  countClaimsOfActive(): Promise<number>;
  /** Number of jobs that are waiting, claimed or delayed. Rejects if the queue store does not answer. */
  countUnfinished(): Promise<number>;
  describeUnfinished(): Promise<string[]>;
  listFailed(): Promise<readonly FailedJob[]>;
  /**
   * Waits until the queue has no unfinished job, or until the deadline. Does not reject at the deadline, because the
   * verification finds the remaining jobs.
   */
  drain(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** A failed job. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** The id of the event in the job, or `none` if the job has no event with an id. */
  readonly eventId: string;
}

const UNFINISHED = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;
const POLL_MS = 100;
const CLOSE_DEADLINE_MS = 2_000;

/** Connects to the queue of completions and reopenings. The connection survives interruptions of the queue store. */
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
    listFailed: async () => (await queue.getFailed()).map(toFailedJob),
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

function toFailedJob({ id, name, failedReason, data }: EventJob): FailedJob {
  const eventId =
    typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string'
      ? data.id
      : 'none';
  return { id: String(id), name, reason: failedReason, eventId };
}

/** A producer that loses no event: it publishes events again until the queue has acknowledged them. */
export interface PersistentPublisher {
  /**
   * Publishes the events. Adds them without checks, like another client, if the publisher of Takt would refuse one of
   * them.
   */
  publish(events: readonly object[], batchSize: number): Promise<void>;
  close(): Promise<void>;
}

const DEADLINE_MS = 240_000;
const RETRY_MS = 200;
const ADD_DEADLINE_MS = 5_000;

export async function openPersistentPublisher(queueUrl: string): Promise<PersistentPublisher> {
  const publisher = await openPublisher(queueUrl, {
    addDeadlineMs: ADD_DEADLINE_MS,
    closeDeadlineMs: CLOSE_DEADLINE_MS,
  });
  const backend = await openQueueBackend(queueUrl, {
    onError: () => undefined,
    closeDeadlineMs: CLOSE_DEADLINE_MS,
  });
  const queue = backend.openQueue('work-order-operations');
  return {
    publish: (events, batchSize) =>
      untilAcknowledged(() =>
        events.every((event) => prepareEvent(event).ok)
          ? publisher.publish(events as EventInput[], { batchSize })
          : addUnchecked(queue, events, batchSize),
      ),
    close: async () => {
      await Promise.all([publisher.close(), backend.close()]);
    },
  };
}

async function untilAcknowledged(publish: () => Promise<unknown>): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      await publish();
      return;
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await delay(RETRY_MS);
    }
  }
}

/**
 * Adds jobs without checking the events. The job ids are derived from the content. The contract requires this from a
 * producer that retries.
 */
async function addUnchecked(queue: EventQueue, events: readonly object[], batchSize: number): Promise<void> {
  const jobs = divide(events, batchSize).map((batch) => {
    const data = batchSize === 1 ? batch[0] : batch;
    const jobId = createHash('sha256').update(JSON.stringify(data)).digest('hex');
    return { name: BATCH_JOB_NAME, data, opts: { jobId, removeOnComplete: true, attempts: 1 } };
  });
  const overdue = new AbortController();
  const deadline = delay(ADD_DEADLINE_MS, undefined, { signal: overdue.signal }).then(() => {
    throw new Error(`not added within ${ADD_DEADLINE_MS} ms`);
  });
  await Promise.race([queue.addBulk(jobs), deadline]).finally(() => overdue.abort());
}

/** Divides a list into pieces of `size` items. The last piece may be shorter. */
export function divide<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const pieces = Math.ceil(items.length / size);
  return Array.from({ length: pieces }, (_, piece) => items.slice(piece * size, (piece + 1) * size));
}
