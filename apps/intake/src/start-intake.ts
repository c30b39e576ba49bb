import { type FindToken, findAccessToken, openTokens } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import {
  type AppOptions,
  checkReadiness,
  openFoundation,
  queueCheck,
  watchDatabase,
} from '@takt/database/app';
import { openPublisher, type Publisher } from '@takt/events';
import { checkQueueDurability } from '@takt/events/internal';
import { type HttpLimits, startHttpServer } from '@takt/http';
import type { Closeable } from '@takt/run';
import { createAppMetrics } from '@takt/run/monitoring';
import { createEventsRoute, createJsonErrorAnswer } from './answer-events.js';
import { openRefusalCounter } from './count-refusals.js';
import { documentRoutes } from './documents/document-routes.js';
import { createIntakeMetrics } from './intake-metrics.js';

export interface IntakeOptions extends AppOptions {
  /** Port at which the intake listens. With 0, any free port is chosen. */
  readonly port: number;
  /** Base URL of the API, for links to error messages. It is absolute and has no trailing slash. */
  readonly apiUrl: string;
  /** Maximum number of requests per minute with one access token. If 0 or absent, there is no limit. */
  readonly requestsPerMinute?: number;
  /** Events are refused while a queue has this many waiting jobs. The default is that of the publisher. */
  readonly maxWaitingJobs?: number;
  readonly limits?: Partial<HttpLimits>;
  /** Time in milliseconds between two statements that store the numbers of refusals. */
  readonly storeRefusalsEveryMs?: number;
}

const CONNECTIONS = { maxConnections: 4, connectDeadlineMs: 800 };

/** Maximum time to wait until a full queue has room again. */
const ROOM_DEADLINE_MS = 500;
/** Maximum time for storing the events once the queue has room. */
const ADD_DEADLINE_MS = 2_000;
/**
 * Maximum time for closing the queues. It is short, so that the HTTP server, which closes first, also fits into the 10
 * s of a shutdown.
 */
const QUEUE_CLOSE_DEADLINE_MS = 3_000;
/** Maximum time of each step when the readiness of the queue is checked. */
const READINESS_DEADLINE_MS = 2_400;

/**
 * Limits of the places for requests with events. Most requests wait for the queue, which stores the events of a few
 * milliseconds together. Storing a batch takes some 20 ms. So of fifty simultaneous batches, the last batch waits a
 * second instead of being refused.
 */
const PLACES = { maxInFlight: 1_000, maxRunning: 500, maxWaitMs: 1_200 };

/** Starts accepting events over HTTP. If the database or a queue is not fit, rejects with all problems. */
export async function startIntake(options: IntakeOptions): Promise<Closeable & { readonly port: number }> {
  const { logger, apiUrl } = options;
  const metrics = createAppMetrics();
  const foundation = await openFoundation('intake', options, {
    metrics,
    checkQueue: checkQueueDurability,
    ...CONNECTIONS,
  });
  const { pool, queueUrl } = foundation;
  const find: FindToken = (token) =>
    findAccessToken(pool, token).catch((cause: unknown) => {
      throw new ServiceError('databaseUnavailable', {}, { cause });
    });
  const { requestsPerMinute } = options;
  const tokens = openTokens(find, { pool, logger, requestsPerMinute });
  const refusals = openRefusalCounter({
    pool,
    logger,
    ...(options.storeRefusalsEveryMs !== undefined && { everyMs: options.storeRefusalsEveryMs }),
  });
  const opened: Closeable[] = [refusals, tokens, foundation];
  const closeAll = async () => {
    for (const one of opened) await one.close();
  };
  try {
    const publisher = await openIntakePublisher(options, queueUrl);
    opened.unshift(publisher);
    const answerError = createJsonErrorAnswer({ apiUrl, logger });
    const checkDatabase = watchDatabase(() => pool);
    const server = await startHttpServer({
      host: options.host,
      port: options.port,
      basePath: '',
      service: {
        routes: [],
        answerError,
        findProblems: () => checkReadiness([checkDatabase(), queueCheck(findVolatility(queueUrl, options))]),
      },
      extraRoutes: documentRoutes(),
      bodyRoutes: [
        createEventsRoute({
          ...tokens,
          publisher,
          answerError,
          apiUrl,
          refusals,
          metrics: createIntakeMetrics(metrics.registry),
        }),
      ],
      bodyPlaces: PLACES,
      logger,
      registry: metrics.registry,
      limits: options.limits ?? {},
      trustedProxies: options.trustedProxies ?? [],
    });
    opened.unshift(server);
    logger.info({ port: server.port }, 'taking events');
    return { port: server.port, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function findVolatility(
  queueUrl: string,
  { allowVolatileQueue = false }: AppOptions,
): Promise<readonly string[]> {
  const found = await checkQueueDurability(queueUrl, { deadlineMs: READINESS_DEADLINE_MS });
  return found.filter(() => !allowVolatileQueue).map(({ message }) => message);
}

function openIntakePublisher(options: IntakeOptions, queueUrl: string): Promise<Publisher> {
  const { logger, telemetry, maxWaitingJobs } = options;
  return openPublisher(queueUrl, {
    roomDeadlineMs: ROOM_DEADLINE_MS,
    addDeadlineMs: ADD_DEADLINE_MS,
    closeDeadlineMs: QUEUE_CLOSE_DEADLINE_MS,
    onError: (error) => logger.warn({ error: error.message }, 'the queue failed a call'),
    ...(maxWaitingJobs === undefined ? {} : { maxWaitingJobs }),
    ...(telemetry === undefined ? {} : { telemetry }),
  });
}
