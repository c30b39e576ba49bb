import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@takt/catalogue/errors';
import { type Logger, listen } from '@takt/run';
import { createAppMetrics } from '@takt/run/monitoring';
import Koa from 'koa';
import type { Registry } from 'prom-client';
import type { AnswerError, BodyRoute, Mount, Service, StaticRoute, StreamRoute } from './answer.js';
import { createClientAddresses } from './client-address.js';
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
import { openPlaces, type PlaceLimits } from './places.js';
import { probeRoutes } from './probes.js';
import { createBodyReader, dropRest } from './read-body.js';
import { refuseUnreadable } from './refuse-unreadable.js';
import {
  createHttpMetrics,
  createRequestObserver,
  FAILURE_LINES_A_SECOND,
  limitLines,
  observeRequest,
  type Serving,
} from './request-record.js';
import {
  type Answering,
  bodyRoutes,
  createRouter,
  mountRows,
  type RouteRow,
  resourceRoutes,
  staticRoutes,
  streamRows,
} from './router.js';

/** Options of the server. The base path does not apply to the paths of health and metrics. */
export interface HttpServerOptions extends BasePath {
  readonly host: string;
  /** Port at which the server listens. With 0, any free port is chosen. */
  readonly port: number;
  readonly service: Service;
  /** Routes for documents, with paths below the base URL. */
  readonly extraRoutes?: readonly StaticRoute[];
  /** Routes for documents whose paths start at the root of the server, even if the base URL has a path. */
  readonly rootRoutes?: readonly StaticRoute[];
  /** Routes for bodies, with paths below the base URL. */
  readonly bodyRoutes?: readonly BodyRoute[];
  /** Routes for uploads, with paths below the base URL. */
  readonly streamRoutes?: readonly StreamRoute[];
  /** Limits of the places for the routes with bodies. */
  readonly bodyPlaces?: PlaceLimits;
  /** Mounts, with prefixes below the base URL. The first mount that matches answers. */
  readonly mounts?: readonly Mount[];
  readonly logger: Logger;
  /** If true, a line is logged for each request. Default true. */
  readonly logsRequests?: boolean;
  /** Registry of the metrics that /metrics shows in addition to the HTTP metrics. */
  readonly registry?: Registry;
  /** Headers of all answers. By default they are those of a public API. */
  readonly headers?: Headers;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and address ranges of the proxies whose forwarding headers are trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
}

export interface HttpServer {
  readonly port: number;
  /**
   * Closes idle connections at once, waits for running answers, and destroys the remaining connections after
   * closeDeadlineMs.
   */
  close(): Promise<void>;
}

/**
 * Limits of the places for routes with bodies. These routes have places of their own, because a sign-in may wait for
 * seconds without querying the database. In the common places, two addresses that guess passwords would block everybody.
 */
const BODY_PLACES: PlaceLimits = { maxInFlight: 200, maxRunning: 100, maxWaitMs: 400 };

/** Serves the routes over HTTP/1.1. Rejects if the server cannot listen at the address. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, logger, bodyRoutes = [], streamRoutes = [], logsRequests = true } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const registry = options.registry ?? createAppMetrics().registry;
  let closed: Promise<void> | undefined;
  const serving: Serving = {
    limits,
    logger,
    addressOf: createClientAddresses(options.trustedProxies ?? []).addressOf,
    observer: createRequestObserver(logsRequests ? logger : undefined, createHttpMetrics(registry)),
    fixedHeaders: options.headers ?? apiHeaders(),
    answerError: service.answerError,
    isClosing: () => closed !== undefined,
  };
  const app = createApp({
    ...options,
    ...serving,
    bodyRoutes,
    inPlace: openPlaces(limits),
    inBodyPlace: openPlaces(options.bodyPlaces ?? BODY_PLACES),
    readBody: createBodyReader(bodyRoutes, limits),
    probes: probeRoutes({ ...serving, service, registry }),
    streamRoutes: allowUploads(streamRoutes, () => server),
  });
  const arrivalMs = Math.max(0, ...bodyRoutes.map((route) => route.arrivalMs ?? 0));
  const server = createNodeServer(limits, arrivalMs, app.callback());
  const running = trackAnswers(server);
  refuseUnreadable(server, running, serving);
  const port = await listen(server, options.port, options.host);
  // An app that knows no proxies, as the worker, has only probes and metrics.
  if (!isLoopback(options.host) && options.trustedProxies?.length === 0) {
    logger.warn(
      { host: options.host },
      'other machines reach this app without a proxy: put one in front and name it in TRUSTED_PROXIES (docs/operating/install.md#the-proxy)',
    );
  }
  // An error may be, for example, that there was no free file descriptor. The next connection may succeed.
  server.on('error', (error) => logger.error({ error }, 'a connection could not be accepted'));
  const close = () => {
    closed ??= closeServer(server, running, limits.closeDeadlineMs);
    return closed;
  };
  return { port, close };
}

/** Returns true for an address or a name that only this machine reaches. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

const MAX_UPLOAD_MS = 3_600_000;

/** Returns routes for uploads during which the server lets requests last longer. Node.js has one limit for all requests. */
function allowUploads(routes: readonly StreamRoute[], findServer: () => Server): readonly StreamRoute[] {
  let running = 0;
  let usualMs = 0;
  return routes.map(({ path, answer }) => ({
    path,
    answer: async (request) => {
      const server = findServer();
      if (running === 0) usualMs = server.requestTimeout;
      running += 1;
      server.requestTimeout = MAX_UPLOAD_MS;
      try {
        return await answer(request);
      } finally {
        running -= 1;
        if (running === 0) server.requestTimeout = usualMs;
      }
    },
  }));
}

/** @param arrivalMs longest time that any route allows for a body, in addition to the timeout of the request */
function createNodeServer(limits: HttpLimits, arrivalMs: number, answer: RequestListener): Server {
  const server = createServer({
    insecureHTTPParser: false,
    // A middleware refuses a request without Host instead, because its answer has a body.
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestTimeoutMs,
    requestTimeout: limits.requestTimeoutMs + arrivalMs,
    connectionsCheckingInterval: limits.requestTimeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  });
  server.timeout = limits.stalledClientTimeoutMs;
  server.maxRequestsPerSocket = 0;
  server.maxConnections = limits.maxConnections;
  // Node.js silently drops headers beyond its maximum. The maximum is one more than is allowed, so that too many
  // headers can be noticed.
  server.maxHeadersCount = MAX_HEADERS + 1;
  // With this property, a client that closes its sending side still gets its answer. The types of Node.js lack the
  // property.
  Object.assign(server, { httpAllowHalfOpen: true });
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, answer);
  return server;
}

/** Returns the answers that have not ended, oldest first, and their connections. */
function trackAnswers(server: Server): ReadonlyMap<ServerResponse, Socket> {
  // A request forgets its connection when a pipeline that reads it fails.
  const running = new Map<ServerResponse, Socket>();
  const begin: RequestListener = ({ socket }, response) => {
    running.set(response, socket);
    response.once('close', () => running.delete(response));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, begin);
  server.on('connection', (socket) => {
    socket.once('close', () => {
      // Node.js forgets the answers to pipelined requests that wait for an earlier answer.
      setImmediate(() => {
        for (const [response, own] of running) if (own === socket) response.destroy().emit('close');
      });
    });
  });
  return running;
}

const CLOSE_POLL_MS = 20;

async function closeServer(
  server: Server,
  running: ReadonlyMap<ServerResponse, Socket>,
  deadlineMs: number,
): Promise<void> {
  const untilMs = performance.now() + deadlineMs;
  // `close` also closes idle connections.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  while (running.size > 0 && performance.now() < untilMs) await sleep(CLOSE_POLL_MS);
  server.closeAllConnections();
  await closed;
}

interface AppOptions extends BasePath, Serving, Answering {
  readonly service: Service;
  readonly probes: readonly RouteRow[];
  readonly extraRoutes?: readonly StaticRoute[];
  /** Routes whose paths are not below the base URL. */
  readonly rootRoutes?: readonly StaticRoute[];
  readonly bodyRoutes: readonly BodyRoute[];
  readonly streamRoutes?: readonly StreamRoute[];
  readonly mounts?: readonly Mount[];
}

/** Creates the app with the middlewares of a request, from the outermost to the innermost. */
function createApp(options: AppOptions): Koa<RequestState> {
  const { fixedHeaders, limits, service, isClosing } = options;
  const middlewares: readonly HttpMiddleware[] = [
    beginRequest(options),
    observeRequest(options.observer),
    giveHeaders(fixedHeaders),
    endConnection(isClosing),
    catchErrors(service.answerError, fixedHeaders),
    checkMessage(),
    encodeAnswer(limits.compressAboveBytes),
    notModified(),
    createRouter([...options.probes, ...staticRoutes(options.rootRoutes ?? [])], 'root'),
    refuseWhileClosing(isClosing),
    createRouter(
      [
        ...staticRoutes(options.extraRoutes ?? []),
        ...resourceRoutes(service.routes, options),
        ...bodyRoutes(options.bodyRoutes, options),
        ...streamRows(options.streamRoutes ?? []),
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

/** Codes of the errors after which the connection closes, as the texts of these errors say. */
const LAST_ON_CONNECTION: readonly string[] = [
  'malformedRequest',
  'tooManyHeaders',
  'hostHeaders',
  'shuttingDown',
];

/** Answers errors that inner middlewares throw. If an answer has already been started, it is discarded. */
function catchErrors(answerError: AnswerError, fixedHeaders: Headers): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { request } = ctx.state;
      const answer = answerError(thrown, request);
      for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
      ctx.set({ ...fixedHeaders, 'X-Request-Id': request.id });
      const code = thrown instanceof ServiceError ? thrown.code : undefined;
      ctx.state.isRefused = code === 'overloaded';
      if (code !== undefined && LAST_ON_CONNECTION.includes(code)) ctx.set('Connection', 'close');
      await sendAnswer(ctx, answer);
    }
  };
}

/** Drops what is left of a body, and decides which answers close their connection. */
function endConnection(isClosing: () => boolean): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    const { req, state } = ctx;
    if (!state.awaitsContinue) await dropRest(req);
    if (isClosing() || state.awaitsContinue || !req.complete) ctx.set('Connection', 'close');
  };
}

/** Refuses requests that arrive while the server is closing. Requests that are already running are completed. */
function refuseWhileClosing(isClosing: () => boolean): HttpMiddleware {
  return (_ctx, next) => {
    if (isClosing()) throw new ServiceError('shuttingDown');
    return next();
  };
}

const WHOLE_SERVER = '*';

/**
 * Answers requests without a route: either the path does not exist, or it does not accept the method. `OPTIONS *` is a
 * liveness check.
 */
function notFound(): HttpMiddleware {
  return (ctx) => {
    const { path } = ctx.state.request;
    // HEAD describes the body that GET would return, so both bodies must have the same length.
    const verb = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    if (ctx.method !== 'OPTIONS' || path !== WHOLE_SERVER) {
      throw new ServiceError('resourceNotFound', { verb, path: pathWithoutTokens(path) });
    }
    ctx.set('Allow', 'GET, HEAD, OPTIONS');
    ctx.status = 204;
  };
}

/** Codes of errors that occur when a client left or was disconnected. */
const CLIENT_LEFT: readonly string[] = ['ABORT_ERR', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Replaces Koa's error handler, which would write `Internal Server Error` without our headers. catchErrors answers the
 * errors of requests; this handler is for broken connections and bodies. It closes the connection, so that half a
 * document never looks complete.
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
