import { openQueueBackend, type QueueBackend, type QueueBackendOptions } from '../queue/queue-backend.js';
import { MAX_EVENTS_PER_BATCH, QUEUE_NAMES, type QueueName } from '../queue/queue-names.js';
import { createInFlightLimit } from './in-flight-limit.js';
import { planJobs } from './plan-jobs.js';
import { prepareEvents } from './prepare-events.js';
import { openQueueWriter, type QueueWriter } from './queue-writer.js';

export interface PublisherOptions extends Partial<QueueBackendOptions> {
  /**
   * Publishing waits while a queue holds this many waiting jobs. Default 200,000, but with batches not more than
   * would hold 20,000,000 events.
   */
  readonly maxWaitingJobs?: number;
  /** How long publish may wait for room, each time it has to. Default 300,000 (five minutes). */
  readonly roomDeadlineMs?: number;
  /** How often a full queue is asked again. Default 250. */
  readonly roomPollMs?: number;
  /** How long one addition to a queue may take, with its retries. Default 30,000. */
  readonly addDeadlineMs?: number;
}

export interface PublishOptions {
  /** 1 (the default): a job for each event. Up to 1,000: jobs that hold as many events, which is much faster. */
  readonly batchSize?: number;
}

export interface Published {
  readonly events: number;
  readonly jobs: number;
}

export interface Publisher {
  /**
   * Validates one event or an array of events and adds them, as they are, to the queues of their types.
   * Resolves when the store has acknowledged all. Rejects with an InvalidEventError (nothing of this call was
   * published), a DeadlineExceededError or an error of the store (some may have been published; publishing the
   * same again with the same batch size does not double what is still queued).
   *
   * Jobs of the same content share an id: while one waits, or stands rejected among the failed jobs, the other
   * is ignored. A corrected event has other content and with it another id.
   */
  readonly publish: (events: unknown, options?: PublishOptions) => Promise<Published>;
  /** Lets calls of publish that are under way end, then closes the connections. Never rejects; safe to call twice. */
  readonly close: () => Promise<void>;
}

const DEFAULT_ROOM_DEADLINE_MS = 300_000;
const DEFAULT_ROOM_POLL_MS = 250;
const DEFAULT_ADD_DEADLINE_MS = 30_000;
/** What all calls together may have under way, which bounds the memory that they take. */
const MAX_EVENTS_IN_FLIGHT = 20_000;

/**
 * Opens a publisher for the queues at `queueUrl` (`redis://`, `rediss://` or `postgres://`). Rejects as
 * openQueueBackend does.
 */
export async function openPublisher(queueUrl: string, options: PublisherOptions = {}): Promise<Publisher> {
  // Errors without a caller also fail the calls that follow, so that ignoring them by default hides nothing.
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined, ...options });
  const writers = openWriters(backend, options);
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  return {
    publish: async (events, { batchSize = 1 } = {}) => {
      if (closing !== undefined) {
        throw new Error('the publisher has been closed');
      }
      assertBatchSize(batchSize);
      const call = publish(writers, Array.isArray(events) ? events : [events], batchSize);
      underWay.add(call);
      return call.finally(() => underWay.delete(call));
    },
    close: () => {
      closing ??= Promise.allSettled(underWay).then(() => backend.close());
      return closing;
    },
  };
}

type Writers = ReadonlyMap<QueueName, QueueWriter>;

function openWriters(backend: QueueBackend, options: PublisherOptions): Writers {
  const limit = createInFlightLimit(MAX_EVENTS_IN_FLIGHT);
  const settings = {
    maxWaitingJobs: options.maxWaitingJobs,
    roomDeadlineMs: options.roomDeadlineMs ?? DEFAULT_ROOM_DEADLINE_MS,
    roomPollMs: options.roomPollMs ?? DEFAULT_ROOM_POLL_MS,
    addDeadlineMs: options.addDeadlineMs ?? DEFAULT_ADD_DEADLINE_MS,
  };
  return new Map(
    QUEUE_NAMES.map((name) => [name, openQueueWriter(backend.openQueue(name), limit, settings)]),
  );
}

async function publish(writers: Writers, events: readonly unknown[], batchSize: number): Promise<Published> {
  const prepared = prepareEvents(events);
  let jobCount = 0;
  for (const [queueName, jobs] of planJobs(prepared, batchSize)) {
    await writers.get(queueName)?.write(jobs, batchSize);
    jobCount += jobs.length;
  }
  return { events: prepared.length, jobs: jobCount };
}

function assertBatchSize(batchSize: number): void {
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MAX_EVENTS_PER_BATCH) {
    throw new RangeError(`batchSize must be an integer from 1 to ${MAX_EVENTS_PER_BATCH}, not ${batchSize}`);
  }
}
