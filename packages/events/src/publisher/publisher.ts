import { openQueueBackend, type QueueBackend, type QueueBackendOptions } from '../queue/queue-backend.js';
import { MAX_EVENTS_PER_BATCH, QUEUE_NAMES, type QueueName } from '../queue/queue-names.js';
import { createEventGatherer, fitsOneJob, groupByQueue, planJobs } from './plan-jobs.js';
import { type PreparedEvent, prepareEvents } from './prepare-events.js';
import { createInFlightLimit, openQueueWriter, type QueueWriter } from './queue-writer.js';

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
  /**
   * Events in a job. Left out: as many as come side by side, up to 1,000, which costs least. 1: a job for each event.
   * Up to 1,000: jobs of this call alone that hold as many.
   */
  readonly batchSize?: number;
}

export interface Published {
  readonly events: number;
  /** Jobs that hold them; without a batch size, a job may hold events of other calls as well. */
  readonly jobs: number;
}

export interface Publisher {
  /**
   * Validates one event or an array of events and adds them, as they are, to the queues of their types.
   * Resolves when the store has acknowledged all. Rejects with an InvalidEventError (nothing of this call was
   * published), a DeadlineExceededError or an error of the store (some may have been published; publishing the
   * same again with the same batch size does not double what is still queued, and never what takes effect).
   *
   * Without a batch size, calls under way side by side share jobs: each waits 3 ms at most, or for the addition that is
   * under way, and one that comes alone does not wait. A call's events of one queue are in one job where they fit, and
   * one addition that fails rejects the calls whose events it held.
   *
   * Jobs of the same content share an id: while one waits, or stands rejected among the failed jobs, the other
   * is ignored. A corrected event has other content and with it another id.
   */
  readonly publish: (events: unknown, options?: PublishOptions) => Promise<Published>;
  /** As publish, for what prepareEvent has validated already. */
  readonly publishPrepared: (
    events: readonly PreparedEvent[],
    options?: PublishOptions,
  ) => Promise<Published>;
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

/** Adds events of one queue and gives the number of jobs that hold them. */
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
