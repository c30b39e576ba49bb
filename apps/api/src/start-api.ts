import { createTokenCache, findAccessToken } from '@takt/access';
import { type AppRole, checkBeforeStart, type Database, openDatabase } from '@takt/database';
import { type Closeable, type Logger, waitUntilFit } from '@takt/runtime';
import type { HttpLimits } from './http/limits.js';
import { type HttpServerOptions, startHttpServer } from './http/start-http-server.js';
import { staticRoutes } from './metadata/static-routes.js';
import { createOAuthRoutes } from './oauth/create-oauth-routes.js';
import { metadataRoutes } from './oauth/server-metadata.js';
import { createSignIns } from './oauth/sign-ins.js';
import { callDatabase } from './query/run-statement.js';
import { createStatementCache } from './query/statement-cache.js';
import { htmlStyleHash } from './representations/html/style.js';
import type { ApiDependencies } from './service/answer-resource.js';
import { createService } from './service/create-service.js';
import { findProblems } from './service/find-problems.js';
import { keepTokenOut } from './session/keep-token-out.js';

export interface ApiOptions {
  readonly databaseUrl: string;
  /** Go on with a log-in that could do more than hold the role of the API. */
  readonly allowOwner?: boolean;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly logger: Logger;
  readonly limits?: Partial<HttpLimits>;
  /** Aborted when the API is to end: a start that still waits for the database then rejects. */
  readonly stopping?: AbortSignal;
}

/** An answer is promised within 3 s: so long to get a connection and so long for the statement, at most. */
const CONNECT_DEADLINE_MS = 800;
const STATEMENT_TIMEOUT_MS = 1_900;
const MAX_CONNECTIONS = 8;
/** Ended before the statement, so that the log tells of the lock. */
const LOCK_TIMEOUT_MS = 1_500;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;

/** Starts api. Rejects with all that is wrong where the database is not fit to start on. */
export async function startApi(options: ApiOptions): Promise<Closeable & { readonly port: number }> {
  const { baseUrl, logger, stopping, allowOwner = false } = options;
  let role: AppRole | undefined;
  await waitUntilFit({
    findUnfitness: async () => {
      const found = await checkBeforeStart(options.databaseUrl, { app: 'api', allowOwner });
      for (const warning of found.warnings) logger.warn(warning);
      role = found.role;
      return found.problems;
    },
    what: 'the database',
    logger,
    stopping,
  });
  const database = openApiDatabase(options, role);
  try {
    const problems = await findProblems(database.pool);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const { pool } = database;
    const findToken = createTokenCache((token) => callDatabase(findAccessToken(pool, token)));
    const server = await startHttpServer({
      host: options.host,
      port: options.port,
      basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
      ...routesOf({ pool, findToken, statementOf: createStatementCache(), baseUrl, logger }),
      logger,
      htmlStyleHash,
      limits: options.limits ?? {},
    });
    logger.info({ port: server.port, baseUrl }, 'serving');
    return {
      port: server.port,
      close: async () => {
        await server.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

type Routes = Required<Pick<HttpServerOptions, 'service' | 'formRoutes' | 'extraRoutes' | 'rootRoutes'>>;

/** Everything that the API answers, save what supervisors ask for. */
export function routesOf(api: ApiDependencies): Routes {
  const { pool, findToken, baseUrl } = api;
  const service = createService(api);
  const { answerFailure } = service;
  const oauth = createOAuthRoutes({ pool, findToken, signIns: createSignIns(pool), baseUrl, answerFailure });
  const metadata = metadataRoutes(baseUrl);
  const pages = service.routes.map((route) => keepTokenOut(route, { findToken, baseUrl }));
  return {
    service: { ...service, routes: [...pages, ...oauth.routes] },
    formRoutes: oauth.formRoutes,
    extraRoutes: [...staticRoutes(baseUrl), ...metadata.below],
    rootRoutes: metadata.atRoot,
  };
}

function openApiDatabase({ databaseUrl, logger }: ApiOptions, role: AppRole | undefined): Database {
  return openDatabase({
    url: databaseUrl,
    role,
    applicationName: 'takt api',
    maxConnections: MAX_CONNECTIONS,
    connectDeadlineMs: CONNECT_DEADLINE_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    settings: {
      // To compile a statement takes longer than a page.
      jit: 'off',
      lock_timeout: String(LOCK_TIMEOUT_MS),
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    },
    onError: (error) => logger.warn({ error: error.message }, 'the database failed a call'),
  });
}
