import { findStartupProblems, openDatabase } from '@takt/database';
import { checkQueueDurability, openQueueBackend } from '@takt/events';
import { type Closeable, type Logger, nextDelayMs, pause } from '@takt/runtime';
import { type ConsumptionContext, consumeQueue } from './consume-queue.js';
import { referenceData, workOrderOperations } from './event-stream.js';
import { startObservationServer } from './observation-server.js';
import { watchForSilence } from './watch-for-silence.js';
import { createWorkerMetrics } from './worker-metrics.js';

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly host: string;
  /** Health and metrics; 0: any free port. */
  readonly port: number;
  /** Go on with a Redis that may lose acknowledged writes. */
  readonly allowVolatileQueue: boolean;
  readonly logger: Logger;
  /** The worker cannot go on and should be ended and started anew. */
  readonly onFailure: (error: Error) => void;
}

const STATEMENT_TIMEOUT_MS = 20_000;
/** Of the 10 s that a worker has to close: so long it waits for the database, then it gives its jobs back. */
const PATIENCE_ON_CLOSE_MS = 5_000;
const QUEUE_CLOSE_DEADLINE_MS = 3_000;
const READY_TO_START_DEADLINE_MS = 60_000;
const START_BACKOFF = { firstDelayMs: 200, maxDelayMs: 5_000 };

/** Starts taking events. Rejects with all that is wrong where database or queue are not fit to start on. */
export async function startWorker(options: WorkerOptions): Promise<Closeable & { readonly port: number }> {
  const { logger, databaseUrl, queueUrl } = options;
  const onError = (error: Error) =>
    logger.warn({ error: error.message }, 'a connection failed, it will be made again');
  const giveUp = new AbortController();
  const database = openDatabase({
    url: databaseUrl,
    role: 'takt_worker',
    applicationName: 'takt worker',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onError,
  });
  await whenReachable(logger, async () => {
    const problems = [...(await findStartupProblems(database.pool)), ...(await findQueueProblems(options))];
    if (problems.length > 0) throw new UnfitError(problems.join('\n'));
  });
  const backend = await openQueueBackend(queueUrl, {
    onError,
    closeDeadlineMs: PATIENCE_ON_CLOSE_MS + QUEUE_CLOSE_DEADLINE_MS,
  });
  const metrics = createWorkerMetrics();
  const contextFor = (queue: 'work-order-operations' | 'reference-data'): ConsumptionContext => ({
    backend,
    pool: database.pool,
    logger,
    metrics: metrics.forQueue(queue),
    signal: giveUp.signal,
  });
  const consumers = [
    consumeQueue(workOrderOperations, contextFor('work-order-operations')),
    consumeQueue(referenceData, contextFor('reference-data')),
  ];
  const endWatch = watchForSilence(consumers, options.onFailure);
  const observation = await startObservationServer({
    host: options.host,
    port: options.port,
    metrics: () => metrics.registry.metrics(),
    findProblems: () => findStartupProblems(database.pool).catch((error: Error) => [error.message]),
  });
  logger.info({ port: observation.port }, 'taking events');
  return {
    port: observation.port,
    close: async () => {
      endWatch();
      const patience = setTimeout(() => giveUp.abort(), PATIENCE_ON_CLOSE_MS);
      await backend.close();
      clearTimeout(patience);
      await observation.close();
      await database.close();
    },
  };
}

class UnfitError extends Error {}

async function findQueueProblems({
  queueUrl,
  allowVolatileQueue,
  logger,
}: WorkerOptions): Promise<readonly string[]> {
  const problems = await checkQueueDurability(queueUrl);
  const messages = problems.map(({ message }) => message);
  if (!allowVolatileQueue) return messages;
  for (const message of messages) logger.warn(message);
  return [];
}

/** Starting together with its database and queue, a worker waits for them for a minute. */
async function whenReachable(logger: Logger, check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + READY_TO_START_DEADLINE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await check();
    } catch (error) {
      if (error instanceof UnfitError || Date.now() > deadline) throw error;
      logger.warn({ error }, 'database or queue cannot be reached yet');
      await pause(nextDelayMs(attempt, START_BACKOFF));
    }
  }
}
