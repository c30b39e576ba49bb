import { openQueueBackend, type QueueBackend, type QueueBackendOptions } from '../queue/queue-backend.js';
import { MAX_EVENTS_PER_BATCH, QUEUE_NAMES, type QueueName } from '../queue/queue-names.js';
import { createEventGatherer, fitsOneJob, groupByQueue, planJobs } from './plan-jobs.js';
import { type PreparedEvent, prepareEvents } from './prepare-events.js';
import { createInFlightLimit, openQueueWriter, type QueueWriter } from './queue-writer.js';

export interface PublisherOptions extends Partial<QueueBackendOptions> {
  /**
   * Publishing waits while a queue has this many waiting jobs. Default 200,000, with batches at most 20,000,000 events.
   */
  readonly maxWaitingJobs?: number;
  /** Maximum time of each wait for room in a queue. Default 300,000 (five minutes). */
  readonly roomDeadlineMs?: number;
  /** Interval between counts of a full queue. Default 250. */
  readonly roomPollMs?: number;
  /** Maximum time of one addition to a queue, including retries. Default 30,000. */
  readonly addDeadlineMs?: number;
}

export interface PublishOptions {
  /**
   * Events per job, from 1 to 1,000: jobs then contain only events of this call, and 1 makes one job per event.
   * Default: as many events as are published concurrently, up to 1,000, which is cheapest.
   */
  readonly batchSize?: number;
}

export interface Published {
  readonly events: number;
  /** Number of jobs; without a batch size, a job may also contain events of other calls. */
  readonly jobs: number;
}

export interface Publisher {
  /**
   * Validates an event or an array of events and adds them, unchanged, to the queues of their types. Resolves when the
   * store has acknowledged all. Rejects with an InvalidEventError (nothing of this call was published), a
   * DeadlineExceededError or an error of the store. Then some may have been published; publishing them again with the
   * same batch size doubles neither queued jobs nor effects.
   * Without a batch size, concurrent calls share jobs: each waits at most 3 ms, or for the running addition; a lone
   * call does not wait. A call's events of one queue are in one job if they fit. A failed addition rejects all calls
   * with events in it.
   * Jobs with the same content have the same id: while one waits or is among the failed jobs, further ones are ignored.
   * A corrected event has other content and so another id.
   */
  readonly publish: (events: unknown, options?: PublishOptions) => Promise<Published>;
  /** Like publish, for events that prepareEvent has validated. */
  readonly publishPrepared: (
    events: readonly PreparedEvent[],
    options?: PublishOptions,
  ) => Promise<Published>;
  /** Waits for running calls of publish, then closes the connections. Never rejects; safe to repeat. */
  readonly close: () => Promise<void>;
}

const DEFAULT_ROOM_DEADLINE_MS = 300_000;
const DEFAULT_ROOM_POLL_MS = 250;
const DEFAULT_ADD_DEADLINE_MS = 30_000;
/** Maximum over all calls, to bound the memory. */
const MAX_EVENTS_IN_FLIGHT = 20_000;

/**
 * Opens a publisher for the queues at `queueUrl` (`redis://`, `rediss://` or `postgres://`). Rejects like
 * openQueueBackend.
 */
export async function openPublisher(queueUrl: string, options: PublisherOptions = {}): Promise<Publisher> {
  // Errors without a caller also fail the following calls, so ignoring them by default hides nothing.
  const backend = await openQueueBackend(queueUrl, {
    onError: () => undefined,
    ...options,
    readsJobs: false,
  });
  const queues = openQueues(backend, options);
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const add = async (prepared: () => readonly PreparedEvent[], { batchSize }: PublishOptions) => {
    if (closing !== undefined) {
      throw new Error('the publisher has been closed');
    }
    assertBatchSize(batchSize);
    const call = addTo(queues, prepared(), batchSize);
    underWay.add(call);
    return call.finally(() => underWay.delete(call));
  };
  return {
    publish: async (events, publishOptions = {}) =>
      add(() => prepareEvents(Array.isArray(events) ? events : [events]), publishOptions),
    publishPrepared: async (events, publishOptions = {}) => add(() => events, publishOptions),
    close: () => {
      closing ??= Promise.allSettled(underWay).then(() => backend.close());
      return closing;
    },
  };
}

/** Adds events of one queue and returns the number of jobs. */
type AddEvents = (events: readonly PreparedEvent[], batchSize: number | undefined) => Promise<number>;
type Queues = ReadonlyMap<QueueName, AddEvents>;

function openQueues(backend: QueueBackend, options: PublisherOptions): Queues {
  const limit = createInFlightLimit(MAX_EVENTS_IN_FLIGHT);
  const settings = {
    maxWaitingJobs: options.maxWaitingJobs,
    roomDeadlineMs: options.roomDeadlineMs ?? DEFAULT_ROOM_DEADLINE_MS,
    roomPollMs: options.roomPollMs ?? DEFAULT_ROOM_POLL_MS,
    addDeadlineMs: options.addDeadlineMs ?? DEFAULT_ADD_DEADLINE_MS,
  };
  return new Map(
    QUEUE_NAMES.map((name) => [
      name,
      addEventsWith(openQueueWriter(backend.openQueue(name), limit, settings)),
    ]),
  );
}

function addEventsWith(writer: QueueWriter): AddEvents {
  const write = async (events: readonly PreparedEvent[], batchSize: number) => {
    const jobs = planJobs(events, batchSize);
    await writer.write(jobs, batchSize);
    return jobs.length;
  };
  const gatherer = createEventGatherer(async (events) => {
    await write(events, events.length);
  });
  return async (events, batchSize) => {
    if (batchSize !== undefined) return write(events, batchSize);
    if (!fitsOneJob(events)) return write(events, MAX_EVENTS_PER_BATCH);
    await gatherer.add(events);
    return 1;
  };
}

async function addTo(
  queues: Queues,
  prepared: readonly PreparedEvent[],
  batchSize: number | undefined,
): Promise<Published> {
  let jobs = 0;
  for (const [name, events] of groupByQueue(prepared)) {
    jobs += (await queues.get(name)?.(events, batchSize)) ?? 0;
  }
  return { events: prepared.length, jobs };
}

function assertBatchSize(batchSize = 1): void {
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MAX_EVENTS_PER_BATCH) {
    throw new RangeError(`batchSize must be an integer from 1 to ${MAX_EVENTS_PER_BATCH}, not ${batchSize}`);
  }
}
