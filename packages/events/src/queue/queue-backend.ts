import {
  type BackendClasses,
  type BackendFactory,
  type IQueueBackend,
  type Job,
  type JobJson,
  type Processor,
  type Queue,
  type Telemetry,
  type Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq';
import { toListable } from '../to-listable.js';
import { type ClockState, type ClockWatch, watchClock } from './clock-watch.js';
import { openQueueStore } from './open-store.js';
import { decorateBackend } from './persist-outcomes.js';
import { MAX_JOB_BYTES, QUEUE_PREFIX, type QueueName } from './queue-names.js';
import type { ConnectionPool, QueueStore, StoreView } from './store.js';
import { withDeadline } from './with-deadline.js';

export type EventQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, QueueStore>;
export type EventWorkerOptions = Omit<WorkerOptions<QueueStore>, 'connection' | 'prefix'>;

export interface QueueBackendOptions {
  /**
   * Receives the errors that no caller gets: errors of connections, errors of BullMQ, and parts that did not close in
   * time.
   */
  readonly onError: (error: Error) => void;
  /** Maximum time in milliseconds to wait for the store when the queues are opened. Default 10,000. */
  readonly connectDeadlineMs?: number;
  /** Maximum time in milliseconds for closing everything, give or take half a second. Default 10,000. */
  readonly closeDeadlineMs?: number;
  /**
   * Maximum number of connections to PostgreSQL for all queues together. Each worker may use the same number in
   * addition, besides its listening connection. Default 5.
   */
  readonly maxPostgresConnections?: number;
  /** Only for workers: called when the clocks of this process and of the store cease to agree, or agree again. */
  readonly onClockChange?: (state: ClockState) => void;
  /**
   * Only for workers: called after times in a queue were repaired. They were in the future, because the clock of a
   * client was ahead. `count` is the number of repaired times.
   */
  readonly onTimesRepaired?: (queue: string, count: number) => void;
  /** Passes the trace context from producers to workers. */
  readonly telemetry?: Telemetry;
  /** The clock of this process, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

export interface QueueBackend {
  readonly openQueue: (name: QueueName) => EventQueue;
  /** Opens a worker. If the processor is `null`, the caller fetches the jobs of the worker itself. */
  readonly openWorker: (
    name: QueueName,
    processor: EventProcessor | null,
    options?: EventWorkerOptions,
  ) => EventWorker;
  /**
   * Returns how far the clock of this process differs from the store's clock. Returns undefined without a worker, and
   * until the store has answered.
   */
  readonly clockState: () => ClockState | undefined;
  /** Queries of the store that do not use BullMQ. */
  readonly view: StoreView;
  /** Returns the pools that the queues currently use on PostgreSQL; there are none on Redis. */
  readonly pools: () => readonly ConnectionPool[];
  /**
   * Closes workers (after their running jobs), queues and connections within the deadline. It never rejects and never
   * hangs: parts that do not close in time are reported to `onError` and abandoned. It may be called repeatedly.
   */
  readonly close: () => Promise<void>;
}

// When a worker is killed, its job must be delivered again, as often as needed. BullMQ's default of one redelivery
// would move a sound job to the failed jobs.
const MAX_STALLED_COUNT = 1_000;
// Delay before the next try after a refused connection. With BullMQ's default, each restart of the store would take 15
// s.
const RETRY_DELAY_MS = 1_000;
const DEFAULT_DEADLINE_MS = 10_000;
const DEFAULT_POSTGRES_CONNECTIONS = 5;
/** Duration of a claim by BullMQ's default. */
const DEFAULT_CLAIM_MS = 30_000;

/**
 * Opens the queues at a `redis://`, `rediss://` or `postgres://` URL. Rejects with a QueueUrlError for another URL.
 * Otherwise rejects with the reason if the store does not answer or its schema has not been migrated.
 */
export async function openQueueBackend(
  queueUrl: string,
  options: QueueBackendOptions,
): Promise<QueueBackend> {
  const { onError, closeDeadlineMs = DEFAULT_DEADLINE_MS } = options;
  const telemetry = options.telemetry === undefined ? {} : { telemetry: options.telemetry };
  const store = await openQueueStore(queueUrl, {
    onError,
    connectDeadlineMs: options.connectDeadlineMs ?? DEFAULT_DEADLINE_MS,
    maxPostgresConnections: options.maxPostgresConnections ?? DEFAULT_POSTGRES_CONNECTIONS,
  });
  const closingWorkers = new AbortController();
  let clock: ClockWatch | undefined;
  const openClock = () => {
    clock ??= watchClock({
      readStoreMs: store.view.readClockMs,
      onChange: options.onClockChange ?? (() => undefined),
      ...(options.now === undefined ? {} : { now: options.now }),
    });
    return clock;
  };
  const bullmq = withBackend(guardWorkers(store, openClock, closingWorkers.signal, options.onTimesRepaired));
  const AnyDataWorker = takeAnyData(bullmq.Worker);
  const workers: EventWorker[] = [];
  const queues: EventQueue[] = [];
  let closing: Promise<void> | undefined;

  return {
    openQueue: (name) => {
      const queue = new bullmq.Queue<unknown, unknown, string>(name, {
        connection: store,
        prefix: QUEUE_PREFIX,
        // Without this setting BullMQ would write its version to `meta`, and a producer has no right to write there.
        skipMetasUpdate: true,
        ...telemetry,
      });
      queue.on('error', onError);
      queues.push(queue);
      return queue;
    },
    openWorker: (name, processor, workerOptions) => {
      const worker = new AnyDataWorker(name, processor, {
        maxStalledCount: MAX_STALLED_COUNT,
        runRetryDelay: RETRY_DELAY_MS,
        ...telemetry,
        ...workerOptions,
        connection: store,
        prefix: QUEUE_PREFIX,
      });
      worker.on('error', onError);
      workers.push(worker);
      return worker;
    },
    clockState: () => clock?.state(),
    view: store.view,
    pools: store.pools,
    close: () => {
      closingWorkers.abort();
      clock?.close();
      closing ??= closeAll({ workers, queues, store, onError, deadlineMs: closeDeadlineMs });
      return closing;
    },
  };
}

/** Lets the calls of the workers respect the store's clock. */
function guardWorkers(
  store: QueueStore,
  openClock: () => ClockWatch,
  closing: AbortSignal,
  onTimesRepaired: QueueBackendOptions['onTimesRepaired'],
): BackendFactory<IQueueBackend, QueueStore> {
  return (name, options, roles) => {
    const backend = store.createBackend(name, options, roles);
    if (roles?.withBlockingConnection !== true) return backend;
    const claimMs = 'lockDuration' in options ? Number(options.lockDuration) : DEFAULT_CLAIM_MS;
    const { repairTimes } = store;
    const repair = async () => {
      const count = (await repairTimes?.(name, claimMs)) ?? 0;
      if (count > 0) onTimesRepaired?.(name, count);
    };
    return guardClaims(backend, {
      clock: openClock(),
      closing,
      repair,
      isInClientTime: repairTimes !== undefined,
    });
  };
}

interface Closing {
  readonly workers: readonly EventWorker[];
  readonly queues: readonly EventQueue[];
  readonly store: QueueStore;
  readonly onError: (error: Error) => void;
  readonly deadlineMs: number;
}

// Time that remains for closing queues and connections if the workers have used up the deadline.
const LAST_STEPS_MS = 250;

async function closeAll({ workers, queues, store, onError, deadlineMs }: Closing): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  const remainingMs = () => Math.max(LAST_STEPS_MS, Math.round(endsAt - performance.now()));
  const closeOne = async (one: EventWorker | EventQueue) => {
    try {
      await withDeadline(`closing ${one.name}`, remainingMs(), one.close());
    } catch (error) {
      onError(toError(error));
    }
  };
  await Promise.all(workers.map(closeOne));
  await Promise.all(queues.map(closeOne));
  await store.close(remainingMs()).catch((error) => onError(toError(error)));
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

interface ClaimGuard {
  readonly clock: ClockWatch;
  /** Aborted when the worker must not claim any more jobs. */
  readonly closing: AbortSignal;
  /** Repairs times in the store that are in the future. Does nothing if the store uses its own clock. */
  readonly repair: () => Promise<void>;
  /** True if the times in the store come from the clocks of the clients. */
  readonly isInClientTime: boolean;
}

/** The result of a claim that found no job: no job, no id, no limit, no delay. */
const NOTHING: readonly unknown[] = [null, '', 0, 0];

/**
 * Lets a worker claim jobs and check for stalled jobs only while its clock agrees with the store's clock. While the
 * clocks disagree, claims wait. The worker still completes the jobs that it holds, and keeps their claims.
 */
function guardClaims(backend: IQueueBackend, guard: ClaimGuard): IQueueBackend {
  const { clock, closing, repair, isInClientTime } = guard;
  const mayClaim = () => clock.state()?.agrees === true;
  return decorateBackend(backend, {
    moveToActive: async (...call) => {
      await clock.whenAgreed(closing);
      return mayClaim() ? backend.moveToActive(...call) : [...NOTHING];
    },
    moveToCompleted: (job, value, keep, token, fetchNext) =>
      backend.moveToCompleted(job, value, keep, token, fetchNext && mayClaim()),
    moveToFailed: (job, reason, keep, token, fetchNext, fields) =>
      backend.moveToFailed(job, reason, keep, token, fetchNext && mayClaim(), fields),
    extendLocks: (jobIds, tokens, durationMs) => {
      const aheadMs = isInClientTime ? (clock.state()?.aheadMs ?? 0) : 0;
      return backend.extendLocks(jobIds, tokens, Math.round(durationMs - aheadMs));
    },
    moveStalledJobsToWait: async () => {
      await repair();
      return mayClaim() ? backend.moveStalledJobsToWait() : [];
    },
  });
}

/** A job of a queue. The data of the job may be anything, because any client may have added the job. */
export type EventJob = Job<unknown, unknown, string>;
export type EventWorker = Worker<unknown, unknown, string, IQueueBackend, EventJob['progress'], QueueStore>;
export type EventProcessor = Processor<unknown, unknown, string>;

interface ReceivedData {
  readonly bytes: number;
  readonly text: string | undefined;
}

const received = new WeakMap<EventJob, ReceivedData>();

/** Returns the length, in UTF-16 units, of the JSON text from which a worker's job was read. */
export function bytesOf(job: EventJob): number {
  return received.get(job)?.bytes ?? 0;
}

/**
 * Returns the text from which the data of a worker's job were read. For an array, which may be large, it returns JSON of
 * the same meaning.
 */
export function textOf(job: EventJob): string {
  return received.get(job)?.text ?? JSON.stringify(toListable(job.data)) ?? '';
}

type EventWorkerClass = new (
  name: string,
  processor: EventProcessor | null,
  options: WorkerOptions<QueueStore>,
) => EventWorker;

/**
 * Returns a worker class that accepts jobs whose data are not JSON; the processor then gets the text. BullMQ's own
 * class throws when it fetches such a job. The job would stay claimed until it is found stalled, and would then be
 * fetched again, for ever.
 */
function takeAnyData(Worker: BackendClasses<IQueueBackend, QueueStore>['Worker']): EventWorkerClass {
  return class extends Worker<unknown, unknown, string> {
    protected override createJob(json: JobJson, jobId: string): EventJob {
      const job = this.#createAnyJob(json, jobId);
      received.set(job, {
        bytes: json.data.length,
        text: Array.isArray(job.data) ? undefined : json.data,
      });
      return job;
    }

    #createAnyJob(json: JobJson, jobId: string): EventJob {
      // A job that is too large is rejected by its size. Parsing it would take its size twice more.
      if (json.data.length > MAX_JOB_BYTES) return super.createJob({ ...json, data: 'null' }, jobId);
      try {
        return super.createJob(json, jobId);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return super.createJob({ ...json, data: JSON.stringify(json.data) }, jobId);
      }
    }
  };
}
