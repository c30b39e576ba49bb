import { createTokenCache, limitRequests, noteTokenUse, trackTokenUse } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { readSchemaVersion } from '@takt/database';
import { openPublisher, type Publisher } from '@takt/events';
import { type HttpLimits, startHttpServer } from '@takt/http';
import { type Closeable, waitUntilFit } from '@takt/run';
import { createAppMetrics, observeSchema, type QueueTelemetry } from '@takt/run/monitoring';
import { createEventsRoute, createJsonErrorAnswer } from './answer-events.js';
import { documentRoutes } from './documents/document-routes.js';
import {
  checkFoundation,
  type FoundationOptions,
  findProblems,
  findToken,
  openIntakeDatabase,
} from './foundation.js';
import { createIntakeMetrics } from './intake-metrics.js';

export interface IntakeOptions extends FoundationOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Of the API: begins the links to error messages; absolute, without a slash at its end. */
  readonly apiUrl: string;
  /** Of one access token; 0 or absent: as many as it likes. */
  readonly requestsPerMinute?: number;
  /** Events are refused while a queue holds so many waiting jobs; default as the publisher has it. */
  readonly maxWaitingJobs?: number;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and ranges of proxies that tell the address of a client. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Where traces were started. */
  readonly telemetry?: QueueTelemetry | undefined;
  /** Aborted when the intake is to end: a start that still waits for database or queue then rejects. */
  readonly stopping?: AbortSignal;
}

/** How long a request waits for a queue that is full, and then for it to store what it brought. */
const ROOM_DEADLINE_MS = 500;
const ADD_DEADLINE_MS = 2_000;
/** What is left of the 10 s to end in, once the server has closed. */
const QUEUE_CLOSE_DEADLINE_MS = 3_000;

/**
 * Most requests wait for the queue, which takes those of a few milliseconds together. A batch takes some 20 ms, so that fifty
 * at once are taken a second later rather than refused.
 */
const PLACES = { maxInFlight: 1_000, maxInFlightPerAddress: 750, maxRunning: 500, maxWaitMs: 1_200 };
/** What waits for room has sent up to 64 KB, which stands in memory. */
const LIMITS: Partial<HttpLimits> = { maxHeldBytes: 32_000_000 };

/** Starts taking events over HTTP. Rejects with all that is wrong where database or queue are not fit to start on. */
export async function startIntake(options: IntakeOptions): Promise<Closeable & { readonly port: number }> {
  const { logger, apiUrl, stopping } = options;
  const { role, queueUrl } = await waitUntilFit({
    check: () => checkFoundation(options),
    what: 'database or queue',
    logger,
    stopping,
  });
  const { registry, observePool } = createAppMetrics();
  const database = openIntakeDatabase(options, role);
  const { pool } = database;
  observePool('database', pool);
  observeSchema(registry, () => readSchemaVersion(pool));
  const peekToken = createTokenCache((token) => findToken(pool, token));
  const uses = trackTokenUse(
    limitRequests(
      peekToken,
      options.requestsPerMinute ?? 0,
      (limit) => new ServiceError('tokenBudgetSpent', { limit: String(limit) }),
    ),
    {
      note: (tokenIds) => noteTokenUse(pool, tokenIds),
      onError: (error) => logger.warn({ error: String(error) }, 'the last use of tokens was not noted'),
    },
  );
  const opened: Closeable[] = [uses, database];
  const closeAll = async () => {
    for (const one of opened) await one.close();
  };
  try {
    const publisher = await openIntakePublisher(options, queueUrl);
    opened.unshift(publisher);
    const answerError = createJsonErrorAnswer({ apiUrl, logger });
    const server = await startHttpServer({
      host: options.host,
      port: options.port,
      basePath: '',
      service: {
        routes: [],
        answerError,
        findProblems: () => findProblems(pool, { ...options, queueUrl }),
      },
      extraRoutes: documentRoutes(),
      bodyRoutes: [
        createEventsRoute({
          ...{ peekToken, findToken: uses.findToken, publisher, answerError, apiUrl },
          metrics: createIntakeMetrics(registry),
        }),
      ],
      bodyPlaces: PLACES,
      logger,
      registry,
      limits: { ...LIMITS, ...options.limits },
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
