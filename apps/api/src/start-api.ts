import { createTokenCache, findAccessToken, noteTokenUse, trackTokenUse } from '@takt/access';
import {
  type AppRole,
  checkBeforeStart,
  type Database,
  openDatabase,
  readSchemaVersion,
} from '@takt/database';
import { createAppMetrics, observeSchema } from '@takt/monitoring';
import { type Closeable, type Logger, waitUntilFit } from '@takt/runtime';
import { limitRequests } from './access/limit-requests.js';
import { createRoutes } from './create-routes.js';
import type { HttpLimits } from './http/limits.js';
import { startHttpServer } from './http/start-http-server.js';
import { callDatabase } from './query/run-statement.js';
import { createStatementCache } from './query/statement-cache.js';
import { htmlStyleHash } from './representations/html/style.js';
import { findProblems } from './service/find-problems.js';

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
  /** Of one access token; 0 or absent: as many as it likes. */
  readonly requestsPerMinute?: number;
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
  const { pool } = database;
  const { registry, observePool } = createAppMetrics();
  observePool('database', pool);
  observeSchema(registry, () => readSchemaVersion(pool));
  const findToken = createTokenCache((token) => callDatabase(findAccessToken(pool, token)));
  const uses = trackTokenUse(limitRequests(findToken, options.requestsPerMinute ?? 0), {
    note: (tokenIds) => noteTokenUse(pool, tokenIds),
    onError: (error) => logger.warn({ error: String(error) }, 'the last use of tokens was not noted'),
  });
  try {
    const problems = await findProblems(pool);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const routes = createRoutes(
      { pool, findToken, statementOf: createStatementCache(), baseUrl, logger },
      uses.findToken,
    );
    const server = await startHttpServer({
      host: options.host,
      port: options.port,
      basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
      ...routes,
      logger,
      registry,
      htmlStyleHash,
      limits: options.limits ?? {},
    });
    logger.info({ port: server.port, baseUrl }, 'serving');
    return {
      port: server.port,
      close: async () => {
        await server.close();
        await uses.close();
        await database.close();
      },
    };
  } catch (error) {
    await uses.close();
    await database.close();
    throw error;
  }
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
