import { createTokenCache, findAccessToken, noteTokenUse, trackTokenUse } from '@takt/access';
import { type AlarmSettings, type Webhook, watchAlarms } from '@takt/alarms';
import {
  appSessions,
  checkBeforeStartWithQueues,
  findStartupProblems,
  openDatabase,
  type Pooler,
} from '@takt/database';
import { openQueueBackend, QUEUE_NAMES } from '@takt/events';
import { type HttpLimits, type HttpServer, startHttpServer } from '@takt/http';
import { type Closeable, type Logger, waitUntilFit, withDeadline } from '@takt/run';
import { createAppMetrics, observeAlarms } from '@takt/run/monitoring';
import { accessRoutes } from './access/open-access.js';
import { languageRoute } from './language.js';
import { openOperations } from './operations/open-operations.js';
import { readAlarmState } from './operations/read-state.js';
import { PAGE_HEADERS } from './page-headers.js';
import { queueRoutes } from './queues/open-queues.js';
import { openRejections } from './rejected/open-rejections.js';
import { serveVisits } from './serve-visits.js';
import { createSignInRoutes } from './sign-in.js';
import type { PageRoute } from './visit.js';
import { openPeople } from './visit.js';

export interface DashboardOptions {
  readonly databaseUrl: string;
  /** Before PostgreSQL. */
  readonly pooler?: Pooler | undefined;
  readonly queueUrl: string;
  /** Go on with a log-in that could do more than hold the role of the dashboard. */
  readonly allowOwner?: boolean;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
  /** Addresses and ranges of proxies that tell the address of a client. Default: none. */
  readonly trustedProxies?: readonly string[];
  readonly alarms: AlarmSettings;
  /** Is called when an alarm begins or ends. */
  readonly webhook?: Omit<Webhook, 'dashboardUrl'> | undefined;
  /** How long after the start alarms are looked for; default 10,000. */
  readonly firstAlarmsAfterMs?: number;
  readonly logger: Logger;
  /** Aborted when the dashboard is to end: a start that still waits then rejects. */
  readonly stopping?: AbortSignal;
}

export interface Dashboard extends Closeable {
  readonly port: number;
  /** Its pages, beside health and metrics. */
  readonly routes: readonly Pick<PageRoute, 'method' | 'path' | 'access'>[];
}

const READINESS_DEADLINE_MS = 5_000;
const MAX_CONNECTIONS = 6;
const MAX_QUEUE_CONNECTIONS = 3;
const CLOSE_DEADLINE_MS = 4_000;

/** People read and wait here, a handful at a time; what they ask for has deadlines of its own. */
const LIMITS: Partial<HttpLimits> = {
  maxHeaderBytes: 16_384,
  requestTimeoutMs: 20_000,
  answerDeadlineMs: 30_000,
  maxWaitMs: 5_000,
  closeDeadlineMs: CLOSE_DEADLINE_MS / 2,
};

/** Starts the dashboard. Rejects with all that is wrong where database or queue are not fit to start on. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { logger, baseUrl } = options;
  const { allowOwner = false, pooler } = options;
  const { role, queueUrl } = await waitUntilFit({
    check: () =>
      checkBeforeStartWithQueues(options.databaseUrl, options.queueUrl, {
        app: 'dashboard',
        allowOwner,
        pooler,
      }),
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
    ...appSessions.dashboard,
    pooler,
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
  const state = {
    ...{ pool, backend },
    onQueueError: (error: unknown) => logger.warn({ error }, 'the queues did not answer'),
  };
  const alarms = watchAlarms({
    ...{ ...options.alarms, pool, logger, firstAfterMs: options.firstAlarmsAfterMs },
    readState: () => readAlarmState(state),
    webhook: options.webhook && { ...options.webhook, dashboardUrl: baseUrl },
  });
  const operations = openOperations({
    ...{ ...place, ...state, alarms: options.alarms, overview: rejections.overview },
  });
  const { registry, observePool } = createAppMetrics();
  observeAlarms(registry, alarms.found);
  observePool('database', pool);
  observePool('queue', backend.pools);
  const routes = [
    ...createSignInRoutes(place),
    languageRoute(baseUrl),
    ...operations.routes,
    ...rejections.routes,
    ...queueRoutes({ ...place, changing: rejections.changing }),
    ...accessRoutes(place),
  ];
  const { answerError, routes: reading, ...posting } = serveVisits({ ...place, routes });
  let server: HttpServer | undefined;
  const closeAll = async () => {
    alarms.close();
    operations.close();
    await rejections.close();
    await server?.close();
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
    server = await startHttpServer({
      ...{ host: options.host, port: options.port, basePath: base, mayLackBasePath: true, logger, registry },
      ...{ logsRequests: false, headers: PAGE_HEADERS, limits: LIMITS },
      trustedProxies: options.trustedProxies ?? [],
      service: { routes: reading, answerError, findProblems: () => findProblems(pool, queues) },
      ...posting,
    });
    const { port } = server;
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
  const found = Promise.all([ofDatabase, ...ofQueues]).then((problems) => problems.flat());
  return withDeadline(found, READINESS_DEADLINE_MS, () => ['the checks did not end in time']);
}
