import { type AppOptions, type OpenFoundation, openFoundation, watchDatabase } from '@takt/database/app';
import { startWorkerReports } from '@takt/database/monitoring';
import { QUEUE_NAMES, type QueueName } from '@takt/events';
import { checkQueueDurability, openQueueBackend, type QueueBackend } from '@takt/events/internal';
import { type Closeable, withDeadline } from '@takt/run';
import { observeQueues } from '@takt/run/monitoring';
import { type ConsumptionContext, consumeQueue } from './consume-queue.js';
import { referenceData, workOrderOperations } from './event-stream.js';
import { describeClock, type Foundation, findProblems } from './find-problems.js';
import { startObservation } from './start-observation.js';
import { startUpkeep } from './upkeep.js';
import { type SilenceWatch, watchForSilence } from './watch-for-silence.js';
import { createWorkerMetrics, observeClock, type WorkerMetrics } from './worker-metrics.js';

export interface WorkerOptions extends AppOptions {
  /** If true, the worker also starts with a Redis that may lose acknowledged writes. */
  readonly allowVolatileQueue: boolean;
  /** Port for health and metrics. With 0, any free port is chosen. */
  readonly port: number;
  /** Called when the worker cannot continue and should be restarted. */
  readonly onError: (error: Error) => void;
}

/**
 * Maximum number of connections to the database: one for each of the two streams, one for the reports, and three for
 * the two tasks of upkeep, so that none of them waits for another.
 */
const MAX_CONNECTIONS = 6;
/**
 * Maximum time to wait for the database during a shutdown, before the jobs are returned. A shutdown may take 10 s. The
 * rest of this time is for the queue to take the jobs back, and for closing.
 */
const PATIENCE_ON_CLOSE_MS = 5_000;
const QUEUE_CLOSE_DEADLINE_MS = 2_500;
const DATABASE_CLOSE_DEADLINE_MS = 1_000;

/** Starts processing events. If the database or a queue is not fit, rejects with all problems. */
export async function startWorker(options: WorkerOptions): Promise<Closeable & { readonly port: number }> {
  const metrics = createWorkerMetrics();
  let database: OpenFoundation | undefined;
  let backend: QueueBackend | undefined;
  let foundation: Foundation | undefined;
  // Health and metrics start first, so that a supervisor can see a worker that still waits for its database.
  const observation = await startObservation({
    ...options,
    findProblems: async () =>
      foundation === undefined ? ['waiting for database and queue'] : findProblems(foundation),
    registry: metrics.registry,
  });
  try {
    database = await openFoundation('worker', options, {
      metrics,
      checkQueue: checkQueueDurability,
      maxConnections: MAX_CONNECTIONS,
    });
    const { pool, queueUrl } = database;
    backend = await openBackend({ ...options, queueUrl });
    observeBackend(metrics, backend);
    const consumption = consume(database, backend, metrics, options);
    foundation = {
      ...options,
      checkDatabase: watchDatabase(() => pool),
      backend,
      findSilence: consumption.findProblems,
    };
    options.logger.info({ port: observation.port }, 'taking events');
    return {
      port: observation.port,
      close: () => consumption.close().then(() => closeRest(observation, database)),
    };
  } catch (error) {
    await backend?.close();
    await closeRest(observation, database);
    throw error;
  }
}

async function closeRest(observation: Closeable, database: OpenFoundation | undefined): Promise<void> {
  const closed = Promise.all([observation.close(), database?.close()]);
  await withDeadline<unknown>(closed, DATABASE_CLOSE_DEADLINE_MS, () => undefined);
}

function reportTo({ logger }: WorkerOptions): (error: Error) => void {
  return (error) => logger.warn({ error: error.message }, 'the queue failed a call');
}

function openBackend(options: WorkerOptions): Promise<QueueBackend> {
  return openQueueBackend(options.queueUrl, {
    onError: reportTo(options),
    ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
    closeDeadlineMs: PATIENCE_ON_CLOSE_MS + QUEUE_CLOSE_DEADLINE_MS,
    onTimesRepaired: (queue, count) =>
      options.logger.warn(
        { queue, count },
        'corrected job times in the future, set by a client whose clock was ahead',
      ),
    onClockChange: (state) => options.logger[state.agrees ? 'info' : 'error'](describeClock(state)),
  });
}

function observeBackend({ registry, observePool }: WorkerMetrics, backend: QueueBackend): void {
  observeClock(registry, backend.clockState);
  observePool('queue', backend.pools);
  observeQueues(registry, { names: QUEUE_NAMES, ...backend.view });
}

/** Processes the events of all streams until the result is closed. */
function consume(
  { pool }: OpenFoundation,
  backend: QueueBackend,
  metrics: WorkerMetrics,
  options: WorkerOptions,
): Closeable & Pick<SilenceWatch, 'findProblems'> {
  const giveUp = new AbortController();
  const reports = startWorkerReports({
    pool,
    queues: QUEUE_NAMES,
    countWaiting: async (queue) => (await backend.view.countJobs(queue)).waiting,
    onError: (error) => options.logger.warn({ error }, 'reporting to the database failed'),
  });
  const contextFor = (queue: QueueName): ConsumptionContext => ({
    backend,
    pool,
    logger: options.logger,
    metrics: metrics.forQueue(queue),
    progress: reports.of(queue),
    signal: giveUp.signal,
  });
  const consumers = [
    consumeQueue(workOrderOperations, contextFor('work-order-operations')),
    consumeQueue(referenceData, contextFor('reference-data')),
  ];
  const watch = watchForSilence(consumers, options.onError);
  const queues = consumers.map(({ queue }) => queue);
  const endUpkeep = startUpkeep({ ...options, queues, pool, registry: metrics.registry });
  return {
    findProblems: watch.findProblems,
    close: async () => {
      watch.close();
      endUpkeep();
      reports.close();
      const patience = setTimeout(() => giveUp.abort(), PATIENCE_ON_CLOSE_MS);
      await backend.close();
      clearTimeout(patience);
      giveUp.abort();
    },
  };
}
