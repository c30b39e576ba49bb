import { findAccessToken, openTokens, operatorSession } from '@takt/access';
import { type AlarmSettings, type Webhook, watchAlarms } from '@takt/alarms';
import {
  type AppOptions,
  checkReadiness,
  openFoundation,
  queueCheck,
  watchDatabase,
} from '@takt/database/app';
import { QUEUE_NAMES } from '@takt/events';
import { openQueueBackend } from '@takt/events/internal';
import { type HttpLimits, type HttpServer, startHttpServer } from '@takt/http';
import { assetRoutes } from '@takt/pages';
import type { Closeable } from '@takt/run';
import { createAppMetrics, observeAlarms } from '@takt/run/monitoring';
import { invitationRoutes } from './access/invitation.js';
import { accessRoutes } from './access/open-access.js';
import { openImports } from './import/open-imports.js';
import { languageRoute } from './language.js';
import { openOperations } from './operations/open-operations.js';
import { readAlarmState } from './operations/read-state.js';
import { PAGE_HEADERS } from './page-headers.js';
import { queueRoutes } from './queues/open-queues.js';
import { openRejections } from './rejected/open-rejections.js';
import { openIds } from './sealed-ids.js';
import { serveVisits } from './serve-visits.js';
import { setUpRoutes } from './set-up.js';
import { createSignInRoutes } from './sign-in.js';
import type { PageRoute, UploadRoute } from './visit.js';
import { openPeople } from './visit.js';

interface DashboardOptions extends AppOptions {
  /** Port at which the dashboard listens. With 0, any free port is chosen. */
  readonly port: number;
  /** Base URL of all links. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  /** Base URL of the API, whose pages show the figures. */
  readonly apiUrl: string;
  /** Folder in which a folder for uploaded files is made. */
  readonly home: string;
  /** How far the time of a change may lie ahead of the clock, in ms. */
  readonly maxAheadMs: number;
  readonly alarms: AlarmSettings;
  /** The webhook that is called when an alarm begins or ends. */
  readonly webhook?: Omit<Webhook, 'dashboardUrl'> | undefined;
  /** Delay in milliseconds before the first check for alarms. Default 10,000. */
  readonly firstAlarmsAfterMs?: number;
}

export interface Dashboard extends Closeable {
  readonly port: number;
  /** The routes of the dashboard's pages, without health and metrics. */
  readonly routes: readonly Pick<PageRoute, 'method' | 'path' | 'access'>[];
  /** The routes that receive files. */
  readonly uploads: readonly Pick<UploadRoute, 'path' | 'access'>[];
}

const MAX_CONNECTIONS = 6;
const MAX_QUEUE_CONNECTIONS = 3;
const CLOSE_DEADLINE_MS = 4_000;

/** Limits for a handful of people. The pages have deadlines of their own. */
const LIMITS: Partial<HttpLimits> = {
  maxHeaderBytes: 16_384,
  requestTimeoutMs: 20_000,
  answerDeadlineMs: 30_000,
  maxWaitMs: 5_000,
  closeDeadlineMs: CLOSE_DEADLINE_MS / 2,
};

/** Starts the dashboard. If the database or a queue is not fit, rejects with all problems. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { logger, baseUrl } = options;
  const metrics = createAppMetrics();
  const database = await openFoundation('dashboard', options, { metrics, maxConnections: MAX_CONNECTIONS });
  const opened: Closeable[] = [database];
  const closeAll = async () => {
    for (const one of opened) await one.close();
  };
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  try {
    const { pool, queueUrl, connection } = database;
    const backend = await openQueueBackend(queueUrl, {
      onError: (error) => logger.warn({ error: error.message }, 'the queue failed a call'),
      closeDeadlineMs: CLOSE_DEADLINE_MS,
      maxPostgresConnections: MAX_QUEUE_CONNECTIONS,
      ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
    });
    opened.unshift(backend);
    const queues = QUEUE_NAMES.map((name) => backend.openQueue(name));
    const tokens = openTokens((token) => findAccessToken(pool, token), { pool, logger });
    opened.unshift(tokens);
    const base = new URL(baseUrl).pathname.replace(/\/$/, '');
    const { apiUrl } = options;
    const people = openPeople(pool, tokens.findToken);
    const dependencies = {
      pool,
      queues,
      backend,
      people,
      idsOf: openIds(pool),
      baseUrl,
      site: { base, apiUrl },
      session: operatorSession(baseUrl, apiUrl),
      logger,
    };
    let server: HttpServer | undefined;
    // The server is closed after everything that is opened below, because its answers may wait until that is closed.
    opened.unshift({ close: async () => server?.close() });
    const rejections = openRejections(dependencies);
    opened.unshift(rejections);
    const state = {
      pool,
      backend,
      onQueueError: (error: unknown) => logger.warn({ error }, 'the queues did not answer'),
    };
    const operations = openOperations({
      ...dependencies,
      ...state,
      alarms: options.alarms,
    });
    opened.unshift({ close: async () => operations.close() });
    const alarms = watchAlarms({
      ...options.alarms,
      pool,
      logger,
      firstAfterMs: options.firstAlarmsAfterMs,
      readState: () => readAlarmState(state),
      webhook: options.webhook && { ...options.webhook, dashboardUrl: baseUrl },
    });
    opened.unshift({ close: async () => alarms.close() });
    observeAlarms(metrics.registry, alarms.found);
    metrics.observePool('queue', backend.pools);
    const imports = openImports({
      ...dependencies,
      connection,
      queueUrl,
      home: options.home,
      maxAheadMs: options.maxAheadMs,
    });
    opened.unshift(imports);
    const { uploads } = imports;
    const routes = [
      ...createSignInRoutes(dependencies),
      ...setUpRoutes(dependencies),
      languageRoute(baseUrl, dependencies.session),
      ...operations.routes,
      ...rejections.routes,
      ...imports.routes,
      ...queueRoutes({
        ...dependencies,
        onChange: () => {
          operations.expire();
          alarms.checkNow();
        },
      }),
      ...accessRoutes(dependencies),
      ...invitationRoutes(dependencies),
    ];
    const {
      answerError,
      routes: reading,
      ...posting
    } = serveVisits({
      ...dependencies,
      routes,
      uploads,
    });
    const checkDatabase = watchDatabase(() => pool);
    const findProblems = () =>
      checkReadiness([
        checkDatabase(),
        ...queues.map((queue) =>
          queueCheck(
            queue.getJobCountByTypes('failed').then(() => []),
            queue.name,
          ),
        ),
      ]);
    server = await startHttpServer({
      host: options.host,
      port: options.port,
      basePath: base,
      mayLackBasePath: true,
      logger,
      registry: metrics.registry,
      logsRequests: false,
      headers: PAGE_HEADERS,
      limits: LIMITS,
      trustedProxies: options.trustedProxies ?? [],
      service: { routes: reading, answerError, findProblems },
      ...posting,
      extraRoutes: assetRoutes,
    });
    const { port } = server;
    logger.info({ port, baseUrl }, 'serving');
    return { port, routes, uploads, close };
  } catch (error) {
    await close();
    throw error;
  }
}
