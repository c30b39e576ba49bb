import type { EventInput } from '../event-types/event-definitions.js';
import { openQueueBackend, type QueueBackend, type QueueBackendOptions } from '../queue/queue-backend.js';
import { MAX_EVENTS_PER_BATCH, QUEUE_NAMES, type QueueName } from '../queue/queue-names.js';
import { createEventGatherer, fitsOneJob, groupByQueue, planJobs } from './plan-jobs.js';
import { type PreparedEvent, prepareEvents } from './prepare-events.js';
import { createInFlightLimit, openQueueWriter, type QueueWriter } from './queue-writer.js';

export interface PublisherOptions extends Partial<QueueBackendOptions> {
  /**
   * Publishing waits while a queue has this many waiting jobs. The default is 200,000; with batches, it is lower so
   * that at most 20,000,000 events wait.
   */
  readonly maxWaitingJobs?: number;
  /** Maximum time to wait until a full queue has room again, in milliseconds. Default 300,000 (five minutes). */
  readonly roomDeadlineMs?: number;
  /** Time in milliseconds between two counts of the jobs in a full queue. Default 250. */
  readonly roomPollMs?: number;
  /**
   * Maximum time in milliseconds for one addition to a queue, including its retries, and for one count of its jobs.
   * Default 30,000.
   */
  readonly addDeadlineMs?: number;
}

export interface PublishOptions {
  /**
   * Maximum number of events per job, from 1 to 1,000. If it is given, a job contains only events of this call, and 1
   * makes one job per event. By default a job has as many events as are published concurrently, up to 1,000, which is
   * the cheapest choice.
   */
  readonly batchSize?: number;
}

export interface Published {
  readonly events: number;
  /**
   * Number of jobs that contain the events of this call. Without a batch size, such a job may also contain events of
   * other calls.
   */
  readonly jobs: number;
}

export interface Publisher {
  /**
   * Validates an event or an array of events and adds them, unchanged, to the queues of their types. The types do not
   * replace the validation. If you have a value of unknown type, pass it to prepareEvent first. Resolves when the
   * store has acknowledged all events. Rejects with an InvalidEventError if an event is invalid; then nothing of this
   * call was published. Rejects with a DeadlineExceededError or an error of the store if the addition fails; then some
   * events may have been published. Publishing the same events again with the same batch size doubles neither queued
   * jobs nor their effects. Without a batch size, concurrent calls share jobs: each call waits at most 3 ms, or until
   * the running addition ends. A call that runs alone does not wait. The events of a call for one queue are put into
   * one job if they fit. A failed addition rejects all calls that have events in it. Jobs with the same content have
   * the same id. While such a job waits or is among the failed jobs, further jobs with its id are ignored. A corrected
   * event has other content and therefore another id.
   */
  readonly publish: (
    events: EventInput | readonly EventInput[],
    options?: PublishOptions,
  ) => Promise<Published>;
  /** Publishes events like `publish`, but takes events that prepareEvent has already validated. */
  readonly publishPrepared: (
    events: readonly PreparedEvent[],
    options?: PublishOptions,
  ) => Promise<Published>;
  /**
   * Waits until running calls of `publish` have ended, then closes the connections. Never rejects, and may be called
   * repeatedly.
   */
  readonly close: () => Promise<void>;
}

const DEFAULT_ROOM_DEADLINE_MS = 300_000;
const DEFAULT_ROOM_POLL_MS = 250;
const DEFAULT_ADD_DEADLINE_MS = 30_000;
/** Maximum number of events that all calls together may be adding at the same time. The limit bounds the memory. */
const MAX_EVENTS_IN_FLIGHT = 20_000;

/**
 * Opens a publisher for the queues at `queueUrl` (`redis://`, `rediss://` or `postgres://`). Rejects like
 * openQueueBackend.
 */
export async function openPublisher(queueUrl: string, options: PublisherOptions = {}): Promise<Publisher> {
  // By default, errors that belong to no caller are ignored. This hides nothing, because such an error also makes the
  // following calls fail.
  const backend = await openQueueBackend(queueUrl, {
    onError: () => undefined,
    ...options,
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

/** Adds events to one queue and returns the number of jobs. */
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
