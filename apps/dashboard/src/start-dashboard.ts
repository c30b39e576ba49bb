import { createServer } from 'node:http';
import { createTokenCache, findAccessToken, noteTokenUse, trackTokenUse } from '@takt/access';
import { checkBeforeStartWithQueues, findStartupProblems, openDatabase } from '@takt/database';
import { openQueueBackend, QUEUE_NAMES } from '@takt/events';
import { type Closeable, type Logger, listen, waitUntilFit, withDeadline } from '@takt/runtime';
import { createBoard } from './board/create-board.js';
import type { Route } from './http/answer.js';
import { createApp } from './http/create-app.js';
import { createDashboardMetrics } from './metrics.js';
import { openOperations } from './operations/open-operations.js';
import { openPeople } from './person.js';
import { openRejections } from './rejected/open-rejections.js';
import { createSignInRoutes } from './sign-in.js';

export interface DashboardOptions {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  /** Go on with a log-in that could do more than hold the role of the dashboard. */
  readonly allowOwner?: boolean;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly logger: Logger;
  /** Aborted when the dashboard is to end: a start that still waits then rejects. */
  readonly stopping?: AbortSignal;
}

export interface Dashboard extends Closeable {
  readonly port: number;
  /** What can be asked for beside health, metrics and the board. */
  readonly routes: readonly Pick<Route, 'method' | 'path' | 'access'>[];
}

const STATEMENT_TIMEOUT_MS = 8_000;
const READINESS_DEADLINE_MS = 5_000;
const MAX_CONNECTIONS = 6;
const MAX_QUEUE_CONNECTIONS = 3;
const CLOSE_DEADLINE_MS = 4_000;

/** People read here, a handful at a time: more would be programs. */
const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};
const MAX_SOCKETS = 200;
const MAX_REQUESTS_PER_SOCKET = 10_000;

/** Starts the dashboard. Rejects with all that is wrong where database or queue are not fit to start on. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { logger, baseUrl } = options;
  const { allowOwner = false } = options;
  const { role, queueUrl } = await waitUntilFit({
    check: () =>
      checkBeforeStartWithQueues(options.databaseUrl, options.queueUrl, { app: 'dashboard', allowOwner }),
    what: 'database or queue',
    logger,
    stopping: options.stopping,
  });
  const onError = (error: Error) => logger.warn({ error: error.message }, 'database or queue failed a call');
  const database = openDatabase({
    url: options.databaseUrl,
    role,
    applicationName: 'takt dashboard',
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    settings: { jit: 'off' },
    onError,
  });
  const { pool } = database;
  const backend = await openQueueBackend(queueUrl, {
    onError,
    closeDeadlineMs: CLOSE_DEADLINE_MS,
    maxPostgresConnections: MAX_QUEUE_CONNECTIONS,
  });
  const queues = QUEUE_NAMES.map((name) => backend.openQueue(name));
  const cached = createTokenCache((token) => findAccessToken(pool, token));
  const uses = trackTokenUse(cached, {
    note: (tokenIds) => noteTokenUse(pool, tokenIds),
    onError: (error) => logger.warn({ error: String(error) }, 'the last use of tokens was not noted'),
  });
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const people = openPeople(pool, uses.findToken);
  const place = { pool, queues, backend, people, baseUrl, base, logger };
  const rejections = openRejections(place);
  const operations = openOperations({ ...place, overview: rejections.overview });
  const metrics = createDashboardMetrics(pool, backend);
  const routes = [...createSignInRoutes(place), ...operations.routes, ...rejections.routes];
  const app = createApp({
    routes,
    mounts: [createBoard({ ...place, changing: rejections.changing })],
    people,
    baseUrl,
    base,
    observed: {
      findProblems: () => findProblems(pool, queues),
      deadlineMs: READINESS_DEADLINE_MS,
      metrics: metrics.registry,
      logger,
    },
    logger,
    onAnswered: metrics.onAnswered,
  });
  const server = createServer(LIMITS, app.callback());
  server.maxConnections = MAX_SOCKETS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  const closeAll = async () => {
    operations.close();
    rejections.close();
    await withDeadline(
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
      CLOSE_DEADLINE_MS / 2,
      () => server.closeAllConnections(),
    );
    await uses.close();
    await backend.close();
    await database.close();
  };
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  try {
    const port = await listen(server, options.port, options.host);
    logger.info({ port, baseUrl }, 'serving');
    return { port, routes, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Why the dashboard can show nothing at this moment; nothing while database and both queues answer. */
async function findProblems(
  pool: Parameters<typeof findStartupProblems>[0],
  queues: readonly { readonly name: string; getJobCountByTypes(...types: 'failed'[]): Promise<number> }[],
): Promise<readonly string[]> {
  const ofDatabase = findStartupProblems(pool).catch(() => [
    'the database cannot be reached: check DATABASE_URL and that the server runs',
  ]);
  const ofQueues = queues.map((queue) =>
    withDeadline(
      queue.getJobCountByTypes('failed').then(() => []),
      READINESS_DEADLINE_MS / 2,
      () => [`the queue ${queue.name} did not answer in time`],
    ).catch(() => [`the queue ${queue.name} cannot be reached: check QUEUE_URL and that its store runs`]),
  );
  return (await Promise.all([ofDatabase, ...ofQueues])).flat();
}
