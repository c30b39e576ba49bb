import { openTokens } from '@takt/access';
import { readSchemaVersion } from '@takt/database';
import type { AppOptions } from '@takt/database/app';
import { type HttpLimits, startHttpServer } from '@takt/http';
import { type Closeable, waitUntilFit } from '@takt/run';
import { createAppMetrics, observeSchema } from '@takt/run/monitoring';
import { createBatchMetrics } from './batch/batch-metrics.js';
import { createRoutes } from './create-routes.js';
import { checkServers, openServers, type ServerOptions } from './open-servers.js';
import { createLongStatements } from './respond/find-page.js';
import { createKeptMetrics, keepAnswers } from './respond/kept-answers.js';
import { findUnfitness } from './service/find-problems.js';
import { operationsRedirect } from './service/operations-redirect.js';
import { callDatabase } from './sql/run-statement.js';
import { createStatementCache } from './sql/statement-cache.js';

interface ApiOptions extends ServerOptions, Omit<AppOptions, 'queueUrl'> {
  /** The port of the server; 0 for any free port. */
  readonly port: number;
  /** Base URL of all links. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  /** Base URL of the operator's pages. If absent, nothing leads there but a proxy. */
  readonly dashboardUrl?: string;
  /** The maximum number of requests per minute with one access token; 0 or undefined for no limit. */
  readonly requestsPerMinute?: number;
  /** The maximum memory of the answer cache in bytes; 0 or undefined for no cache. */
  readonly keptAnswersBytes?: number;
  readonly limits?: Partial<HttpLimits>;
}

/**
 * The maximum number of requests that are processed at the same time. Most slow requests only wait for their turn, so a
 * fast request still finds a place.
 */
const MAX_RUNNING = 96;

/** Starts the API. Rejects with a list of all problems if the database is not fit. */
export async function startApi(options: ApiOptions): Promise<Closeable & { readonly port: number }> {
  const { baseUrl, logger, stopping } = options;
  const found = await waitUntilFit({
    check: () => checkServers(options),
    what: 'the database',
    logger,
    stopping,
  });
  const { registry, observePool } = createAppMetrics();
  const servers = await openServers(options, found, { registry, observePool });
  const { pool, replica, vitalPool } = servers;
  observeSchema(registry, () => readSchemaVersion(vitalPool()));
  const { requestsPerMinute } = options;
  const tokens = openTokens((token) => callDatabase(servers.findToken(token)), {
    pool,
    logger,
    requestsPerMinute,
  });
  try {
    // Uses the same deadlines as a request. So the start does not fail either if the database is slow for a moment.
    await waitUntilFit({
      check: async () => ({ problems: await findUnfitness(vitalPool()), warnings: [] }),
      what: 'the database',
      logger,
      stopping,
    });
    const { keptAnswersBytes: maxBytes = 0 } = options;
    // Answers are not cached on a cluster, because the stamp of the data common to all companies is not on the node
    // that has the rows.
    const answerKept =
      maxBytes === 0 || found.isCluster === true
        ? undefined
        : keepAnswers({ maxBytes, metrics: createKeptMetrics(registry) });
    const routes = createRoutes(
      {
        pool,
        replica,
        vitalPool,
        findToken: tokens.peekToken,
        answerKept,
        baseUrl,
        logger,
        statementOf: createStatementCache(),
        longStatements: createLongStatements(),
      },
      tokens.findToken,
      createBatchMetrics(registry),
    );
    const server = await startHttpServer({
      host: options.host,
      port: options.port,
      basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
      ...routes,
      mounts: operationsRedirect(baseUrl, options.dashboardUrl),
      logger,
      registry,
      limits: { maxRunning: MAX_RUNNING, ...options.limits },
      trustedProxies: options.trustedProxies ?? [],
    });
    logger.info({ port: server.port, baseUrl }, 'serving');
    return {
      port: server.port,
      close: async () => {
        await server.close();
        await tokens.close();
        await servers.close();
      },
    };
  } catch (error) {
    await tokens.close();
    await servers.close();
    throw error;
  }
}
