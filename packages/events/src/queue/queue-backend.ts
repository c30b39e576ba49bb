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
import { type ClockState, type ClockWatch, watchClock } from './clock-watch.js';
import { openQueueStore } from './open-store.js';
import { decorateBackend } from './persist-outcomes.js';
import { QUEUE_PREFIX, type QueueName } from './queue-names.js';
import type { ConnectionPool, QueueStore, StoreView } from './store.js';
import { withDeadline } from './with-deadline.js';

export type EventQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, QueueStore>;
export type EventWorkerOptions = Omit<WorkerOptions<QueueStore>, 'connection' | 'prefix'>;

export interface QueueBackendOptions {
  /** Gets every error that has no caller to go to: of connections, of BullMQ, overdue closes. */
  readonly onError: (error: Error) => void;
  /** How long opening may wait for the store. Default 10,000. */
  readonly connectDeadlineMs?: number;
  /** How long closing may take in all, give or take half a second. Default 10,000. */
  readonly closeDeadlineMs?: number;
  /** PostgreSQL: connections for all queues together, and for each worker beside the one that listens. Default 5. */
  readonly maxPostgresConnections?: number;
  /** Workers: the clocks of this process and of the store began to differ, or agree again. */
  readonly onClockChange?: (state: ClockState) => void;
  /** Workers: so many times of a queue lay in the future, left by a client whose clock ran ahead, and were mended. */
  readonly onTimesRepaired?: (queue: string, count: number) => void;
  /** False: jobs are only added. Default true, which refuses a version of BullMQ that reads jobs as is not known. */
  readonly readsJobs?: boolean;
  /** Carries traces on from who adds a job to who takes it. */
  readonly telemetry?: Telemetry;
  /** Clock of this process that is compared with the store's, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

export interface QueueBackend {
  /** A queue to add to and to look into. */
  readonly openQueue: (name: QueueName) => EventQueue;
  /** A worker; with `null` for the processor jobs are fetched by hand. */
  readonly openWorker: (
    name: QueueName,
    processor: EventProcessor | null,
    options?: EventWorkerOptions,
  ) => EventWorker;
  /** How the clock stands to the store's; undefined without a worker, and until the store has answered. */
  readonly clockState: () => ClockState | undefined;
  /** What can be asked of the store without BullMQ. */
  readonly view: StoreView;
  /** PostgreSQL: the pools of connections that the queues use at this moment; elsewhere none. */
  readonly pools: () => readonly ConnectionPool[];
  /**
   * Closes workers (their running jobs may finish), queues and connections within the deadline. Never rejects
   * and never hangs: what was overdue is given to `onError` and left behind. Safe to call twice.
   */
  readonly close: () => Promise<void>;
}

// A job of a worker that is killed is redelivered as often as it takes; BullMQ's default of one redelivery
// would move it to the failed ones although nothing is wrong with it.
const MAX_STALLED_COUNT = 1_000;
// How long a worker waits after a refused connection; BullMQ's default of 15 s would make every restart that long.
const RETRY_DELAY_MS = 1_000;
const DEFAULT_DEADLINE_MS = 10_000;
const DEFAULT_POSTGRES_CONNECTIONS = 5;
/** How long a claim of BullMQ lasts where its worker was told nothing. */
const DEFAULT_CLAIM_MS = 30_000;

/**
 * Opens the queues at `redis://`, `rediss://` or `postgres://`. Rejects with a QueueUrlError when the URL is
 * none of these, and with the reason when the store does not answer or its schema has not been migrated.
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
    readsJobs: options.readsJobs ?? true,
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
        // BullMQ would note its version there; a producer has no right to, for there a queue is paused too.
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

/** Makes what the workers call keep to the clock of the store. */
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

// What queues and connections may take where the workers have used up the deadline.
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
  /** Aborted when the worker is to claim no more. */
  readonly closing: AbortSignal;
  /** Mends the times that clocks which ran ahead left in the store; nothing to do where the store keeps its own time. */
  readonly repair: () => Promise<void>;
  /** The store takes the client's word for what time it is. */
  readonly isInClientTime: boolean;
}

/** What a claim gives where there is nothing to claim: no job, no id, no limit, no delay. */
const NOTHING: readonly unknown[] = [null, '', 0, 0];

/**
 * Lets a worker claim, and look for stalled jobs, only while its clock and the store's agree. While they do not, a claim
 * waits; jobs that are held are finished and stay claimed for as long as they would otherwise.
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

/** A job as it comes from a queue: its data may be anything, since any client may have put it there. */
export type EventJob = Job<unknown, unknown, string>;
export type EventWorker = Worker<unknown, unknown, string, IQueueBackend, EventJob['progress'], QueueStore>;
export type EventProcessor = Processor<unknown, unknown, string>;

const dataBytes = new WeakMap<EventJob, number>();

/** How long the JSON text was from which a worker's job was read, in bytes or, where it is not ASCII, fewer. */
export function bytesOf(job: EventJob): number {
  return dataBytes.get(job) ?? 0;
}

type EventWorkerClass = new (
  name: string,
  processor: EventProcessor | null,
  options: WorkerOptions<QueueStore>,
) => EventWorker;

/**
 * A worker class that takes a job whose data are no JSON: the processor sees the text that is there. BullMQ's own
 * throws while it fetches such a job, so that it stays claimed, is found stalled and fetched again, for ever.
 */
function takeAnyData(Worker: BackendClasses<IQueueBackend, QueueStore>['Worker']): EventWorkerClass {
  return class extends Worker<unknown, unknown, string> {
    readonly #unreadable = new WeakSet<EventJob>();

    protected override createJob(json: JobJson, jobId: string): EventJob {
      const job = this.#createAnyJob(json, jobId);
      dataBytes.set(job, json.data.length);
      return job;
    }

    #createAnyJob(json: JobJson, jobId: string): EventJob {
      try {
        return super.createJob(json, jobId);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        const job = super.createJob({ ...json, data: JSON.stringify(json.data) }, jobId);
        this.#unreadable.add(job);
        return job;
      }
    }

    protected override async callProcessJob(
      job: EventJob,
      token: string,
      signal?: AbortSignal,
    ): Promise<unknown> {
      // Stored as JSON, else whoever lists the failed jobs meets the same error.
      if (this.#unreadable.has(job)) await job.updateData(job.data);
      return super.callProcessJob(job, token, signal);
    }
  };
}
