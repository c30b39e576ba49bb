import {
  type ClientPermission,
  createAccessToken,
  createApiClient,
  type Duty,
  type FindToken,
  findAccessToken,
  limitRequests,
} from '@takt/access';
import type { Database } from '@takt/database';
import { type HttpLimits, OBSERVATION_PATHS, startHttpServer } from '@takt/http';
import { createRoutes } from '../../src/create-routes.js';
import type { AnswerKept } from '../../src/respond/kept-answers.js';
import type { StatementOf } from '../../src/sql/statement-cache.js';
import { type HttpClient, openHttpClient } from './http-client.js';
import { openTestApi, type TestApi } from './open-test-api.js';

/** The base URL in all links. It does not contain the port, so two servers write the same links. */
export const SERVED_AT = 'https://takt.example';

/**
 * The rights of a token. `permissions` limit the token through a separate client, and `duties` limit the token itself.
 * A token has all rights by default.
 */
export interface LimitedRights {
  readonly permissions?: readonly ClientPermission[];
  readonly duties?: readonly Duty[];
}

/** The API over HTTP with all routes. It has a separate database with the companies TEM-NO and OTHER. */
export interface ServedApi {
  readonly database: TestApi['database'];
  readonly owner: TestApi['owner'];
  /** The pool with the log-in of the API, which answers the requests. */
  readonly reader: TestApi['reader'];
  readonly appUrl: TestApi['appUrl'];
  readonly client: HttpClient;
  /** The path templates of all routes. */
  readonly paths: readonly string[];
  /** The path templates of all routes that take forms. */
  readonly formPaths: readonly string[];
  createToken(companyCode: string, rights?: LimitedRights, expiresInMs?: number): Promise<string>;
  /** Starts another server with some differences on the same database. It accepts the same tokens. */
  serveBeside(changes: ServedDifferently): Promise<ServedBeside>;
  close(): Promise<void>;
}

export interface ServedBeside {
  readonly client: HttpClient;
  readonly port: number;
  close(): Promise<void>;
}

export interface ServedDifferently {
  /** A pool to use instead of the pool with the log-in of the API. */
  readonly pool?: Database['pool'];
  readonly statementOf?: StatementOf;
  readonly answerKept?: AnswerKept;
  readonly limits?: Partial<HttpLimits>;
  /** The maximum number of requests per minute and token; by default there is no limit. */
  readonly requestsPerMinute?: number;
}

const TOKEN_LIFETIME_MS = 3_600_000;
/**
 * The maximum time until the answer to a request. It is long, so that a busy machine causes no timeouts in unrelated
 * tests.
 */
const ANSWER_DEADLINE_MS = 60_000;

export async function serveApi(): Promise<ServedApi> {
  const api = await openTestApi();
  const findToken: FindToken = (token) => findAccessToken(api.reader, token);
  const serve = async ({ limits = {}, requestsPerMinute = 0, ...changes }: ServedDifferently) => {
    const routes = createRoutes(
      { ...api, pool: api.reader, findToken, baseUrl: SERVED_AT, ...changes },
      limitRequests(findToken, requestsPerMinute),
    );
    const server = await startHttpServer({
      ...{ host: '127.0.0.1', port: 0, basePath: '', logger: api.logger },
      ...routes,
      limits: { answerDeadlineMs: ANSWER_DEADLINE_MS, maxWaitMs: ANSWER_DEADLINE_MS, ...limits },
    });
    const client = openHttpClient(server.port);
    const close = async () => {
      client.close();
      await server.close();
    };
    const all = [...routes.service.routes, ...routes.extraRoutes, ...routes.rootRoutes];
    const paths = [...all.map(({ path }) => path), ...OBSERVATION_PATHS];
    const { port } = server;
    return { client, port, paths, formPaths: routes.bodyRoutes.map(({ path }) => path), close };
  };
  const served = await serve({});
  return {
    ...served,
    database: api.database,
    owner: api.owner,
    reader: api.reader,
    appUrl: api.appUrl,
    createToken: async (code, { permissions, duties } = {}, expiresInMs = TOKEN_LIFETIME_MS) => {
      const request = { companyCodes: [code], expiresInMs, ...(duties === undefined ? {} : { duties }) };
      if (permissions === undefined) return (await createAccessToken(api.database, request)).token;
      const client = { name: 'limited', isPublic: true, permissions };
      const { clientId } = await createApiClient(api.database, client);
      return (await createAccessToken(api.database, { ...request, clientId })).token;
    },
    serveBeside: serve,
    close: async () => {
      await served.close();
      await api.close();
    },
  };
}
