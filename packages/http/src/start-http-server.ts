import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '@takt/catalogue/errors';
import { type Logger, listen, withDeadline } from '@takt/run';
import { createAppMetrics } from '@takt/run/monitoring';
import Koa from 'koa';
import type { Registry } from 'prom-client';
import { type AdmissionLimits, admitRequests } from './admission.js';
import type { AnswerError, BodyRoute, FormRoute, Mount, Service, StaticRoute } from './answer.js';
import { Bodies } from './bodies.js';
import { createClientAddresses } from './client-address.js';
import { Connections, type ShedReason } from './connections.js';
import { encodeAnswer, notModified, sendAnswer } from './encode-answer.js';
import {
  apiHeaders,
  type BasePath,
  beginRequest,
  checkMessage,
  giveHeaders,
  type Headers,
  type HttpMiddleware,
  pathWithoutTokens,
  type RequestState,
} from './http-request.js';
import { defaultHttpLimits, type HttpLimits, MAX_HEADERS } from './limits.js';
import { probeRoutes } from './probes.js';
import { answerUnreadable, TOO_MANY_HEADERS } from './raw-answers.js';
import { createQuickRefuse } from './refuse-quickly.js';
import {
  createHttpMetrics,
  createRequestObserver,
  FAILURE_LINES_A_SECOND,
  limitLines,
  observeRequest,
  type Serving,
} from './request-record.js';
import {
  bodyRoutes,
  createRouter,
  mountRows,
  type RouteRow,
  resourceRoutes,
  staticRoutes,
} from './router.js';
import { TimeSlices } from './time-slices.js';

/** Health and metrics are not below the base path. */
export interface HttpServerOptions extends BasePath {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly service: Service;
  /** Below the base URL. */
  readonly extraRoutes?: readonly StaticRoute[];
  /** At the root of the server, even if the base URL has a path. */
  readonly rootRoutes?: readonly StaticRoute[];
  /** Below the base URL. */
  readonly formRoutes?: readonly FormRoute[];
  /** Below the base URL. */
  readonly bodyRoutes?: readonly BodyRoute[];
  /** Places of the routes with bodies. */
  readonly bodyPlaces?: AdmissionLimits;
  /** Below the base URL; the first match answers. */
  readonly mounts?: readonly Mount[];
  readonly logger: Logger;
  /** Logs a line per request; default true. */
  readonly logsRequests?: boolean;
  /** Metrics for /metrics, in addition to those of HTTP. */
  readonly registry?: Registry;
  /** Hash of the style element of the HTML pages, as `sha256-...`. */
  readonly htmlStyleHash?: string;
  /** Headers of all answers, instead of those of a public API. */
  readonly headers?: Headers;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and ranges of proxies whose forwarding headers are trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
}

export interface HttpServer {
  readonly port: number;
  /** Closes idle connections at once, waits for running answers, and destroys the rest after closeDeadlineMs. */
  close(): Promise<void>;
}

/** Serves the routes over HTTP/1.1. Rejects if the address cannot be used. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, logger, formRoutes = [], logsRequests = true } = options;
  const bodyRoutes = [...formRoutes.map(takeForms), ...(options.bodyRoutes ?? [])];
  const limits = { ...defaultHttpLimits, ...options.limits };
  const registry = options.registry ?? createAppMetrics().registry;
  const metrics = createHttpMetrics(registry);
  const { isProxy, addressOf } = createClientAddresses(options.trustedProxies ?? []);
  const slices = new TimeSlices();
  const onShed = (reason: ShedReason) => metrics.countShedConnection(reason);
  // Refused in the same way as a head that is too large.
  const onTooManyHeaders = (socket: Socket) =>
    server.emit('clientError', Object.assign(new Error(), { code: TOO_MANY_HEADERS }), socket);
  const connections = new Connections({ limits, slices, isProxy, onShed, onTooManyHeaders });
  let closed: Promise<void> | undefined;
  const serving: Serving = {
    ...{ limits, slices, connections, metrics, logger, addressOf },
    observer: createRequestObserver(logsRequests ? logger : undefined, metrics),
    fixedHeaders: options.headers ?? apiHeaders(options.htmlStyleHash),
    answerError: service.answerError,
    isClosing: () => closed !== undefined,
  };
  const bodies = new Bodies({ ...options, ...serving, routes: bodyRoutes });
  const probes = probeRoutes({ ...serving, service, registry });
  const admit = admitRequests({
    ...serving,
    bodies,
    bodyPlaces: options.bodyPlaces,
    answer: createApp({ ...options, ...serving, bodyRoutes, bodies, probes }).callback(),
    refuse: createQuickRefuse({ ...serving, bodies }),
  });
  const arrivalMs = Math.max(0, ...bodyRoutes.map((route) => route.arrivalMs ?? 0));
  const server = createNodeServer(limits, arrivalMs, connections, admit);
  answerUnreadable(server, serving);
  const port = await listen(server, options.port, options.host);
  // For example no free file descriptor; the next connection may succeed.
  server.on('error', (error) => logger.error({ error }, 'a connection could not be accepted'));
  const close = () => {
    closed ??= closeServer(server, connections, limits.closeDeadlineMs);
    return closed;
  };
  return { port, close };
}

const MAX_FORM_BYTES = 16_384;

function takeForms({ path, answer }: FormRoute): BodyRoute {
  return {
    path,
    contentTypes: ['application/x-www-form-urlencoded'],
    maxBytes: MAX_FORM_BYTES,
    answer: ({ body, ...request }) =>
      answer({ ...request, formText: body.problem === undefined ? body.bytes.toString() : undefined }),
  };
}

/** @param arrivalMs longest time that a route allows for a body, in addition to the request's timeout */
function createNodeServer(
  limits: HttpLimits,
  arrivalMs: number,
  connections: Connections,
  admit: RequestListener,
): Server {
  const server = createServer({
    insecureHTTPParser: false,
    // A middleware refuses it instead, with a body.
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestTimeoutMs,
    requestTimeout: limits.requestTimeoutMs + arrivalMs,
    connectionsCheckingInterval: limits.requestTimeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  });
  server.timeout = limits.stalledClientTimeoutMs;
  server.maxRequestsPerSocket = 0;
  // Node.js silently drops headers above its maximum. It is one more than allowed, so that too many headers can be
  // noticed.
  server.maxHeadersCount = MAX_HEADERS + 1;
  // A client that closes its sending side still gets its answer. Node's types lack the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => connections.connect(socket));
  const begin: RequestListener = (request, response) =>
    connections.begin(request, response, () => admit(request, response));
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, begin);
  return server;
}

async function closeServer(server: Server, connections: Connections, deadlineMs: number): Promise<void> {
  // Closes idle connections too.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await withDeadline(connections.drained(), deadlineMs, () => undefined);
  connections.destroyAll();
  await closed;
}

interface AppOptions extends BasePath, Serving {
  readonly service: Service;
  readonly probes: readonly RouteRow[];
  readonly extraRoutes?: readonly StaticRoute[];
  /** Not below the base URL. */
  readonly rootRoutes?: readonly StaticRoute[];
  readonly bodyRoutes: readonly BodyRoute[];
  readonly mounts?: readonly Mount[];
  readonly bodies: Bodies;
}

/** The middlewares of a request, from the outside in. */
function createApp(options: AppOptions): Koa<RequestState> {
  const { connections, fixedHeaders, limits, service, isClosing, bodies } = options;
  const middlewares: readonly HttpMiddleware[] = [
    beginRequest(options),
    observeRequest(options.observer),
    giveHeaders(fixedHeaders),
    endConnection(bodies, isClosing),
    catchErrors(service.answerError, fixedHeaders),
    checkMessage(),
    encodeAnswer(limits.compressAboveBytes, connections),
    notModified(),
    createRouter([...options.probes, ...staticRoutes(options.rootRoutes ?? [])], 'root'),
    refuseWhileClosing(isClosing),
    createRouter(
      [
        ...staticRoutes(options.extraRoutes ?? []),
        ...resourceRoutes(service.routes, options),
        ...bodyRoutes(options.bodyRoutes, bodies, options),
      ],
      'base',
      mountRows(options.mounts ?? [], options),
    ),
    notFound(),
  ];
  const app = new Koa<RequestState>({ env: 'production' });
  for (const middleware of middlewares) app.use(middleware);
  app.context.onerror = breakOff(options.logger);
  return app;
}

/** After these errors the connection closes, as their texts say. */
const LAST_ON_CONNECTION: readonly string[] = [
  'malformedRequest',
  'tooManyHeaders',
  'hostHeaders',
  'shuttingDown',
];

/** Answers errors thrown further in, and discards an answer that has already been started. */
function catchErrors(answerError: AnswerError, fixedHeaders: Headers): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { request } = ctx.state;
      const answer = answerError(thrown, request);
      for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
      ctx.set({ ...fixedHeaders, 'X-Request-Id': request.id });
      if (thrown instanceof ServiceError && LAST_ON_CONNECTION.includes(thrown.code)) {
        ctx.set('Connection', 'close');
      }
      await sendAnswer(ctx, answer);
    }
  };
}

/** Decides which answers close their connection. */
function endConnection(bodies: Bodies, isClosing: () => boolean): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (isClosing() || bodies.endsConnection(ctx.req)) ctx.set('Connection', 'close');
  };
}

/** Refuses requests that arrive during shutdown; running ones finish. */
function refuseWhileClosing(isClosing: () => boolean): HttpMiddleware {
  return (_ctx, next) => {
    if (isClosing()) throw new ServiceError('shuttingDown');
    return next();
  };
}

const WHOLE_SERVER = '*';

/**
 * Answers requests without a route: the path does not exist or does not accept the method. `OPTIONS *` is a liveness
 * check.
 */
function notFound(): HttpMiddleware {
  return (ctx) => {
    const { path } = ctx.state.request;
    // HEAD describes the body of GET, so its length must match.
    const verb = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    if (ctx.method !== 'OPTIONS' || path !== WHOLE_SERVER) {
      throw new ServiceError('resourceNotFound', { verb, path: pathWithoutTokens(path) });
    }
    ctx.set('Allow', 'GET, HEAD, OPTIONS');
    ctx.status = 204;
  };
}

/** Errors of a client that left or was disconnected. */
const CLIENT_LEFT: readonly string[] = ['ABORT_ERR', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Replaces Koa's handler, which would write `Internal Server Error` without our headers. catchErrors answers errors of
 * requests; this handler is for broken connections and bodies. It closes the connection, so that half a document never
 * looks complete.
 */
function breakOff(logger: Logger): (this: Koa.Context, error: unknown) => void {
  const mayWrite = limitLines((leftOut) => logger.error({ leftOut }, 'more answers broke off'));
  return function onError(error) {
    const { res, state } = this;
    if (error === null || error === undefined || res.destroyed) return;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const level = CLIENT_LEFT.includes(code) ? 'debug' : 'error';
    if (level === 'debug' || mayWrite('answers', FAILURE_LINES_A_SECOND)) {
      logger[level]({ requestId: state['request']?.id, error }, 'an answer broke off');
    }
    res.destroy();
  };
}
