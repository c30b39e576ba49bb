import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createAppMetrics } from '@takt/monitoring';
import { type Logger, listen, pause } from '@takt/runtime';
import type { Registry } from 'prom-client';
import { type AdmissionLimits, createAdmission } from './admission.js';
import type { BodyRoute, FormRoute, Mount, Service, StaticRoute } from './answer.js';
import { Bodies } from './bodies.js';
import { Connections } from './connections.js';
import { createApp } from './create-app.js';
import { takeForms } from './forms.js';
import { createApiHeaders, createOwnHeaders, type Headers } from './headers.js';
import { createHttpMetrics } from './http-metrics.js';
import type { BasePath } from './http-request.js';
import { defaultHttpLimits, type HttpLimits } from './limits.js';
import { answerUnreadable } from './raw-answers.js';
import { createRefusal, type Refuse } from './refuse-quickly.js';
import { createRequestObserver } from './request-record.js';
import { Slices } from './slices.js';

/** Health and metrics are not below the base path. */
export interface HttpServerOptions extends BasePath {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly service: Service;
  /** Below the base URL. */
  readonly extraRoutes?: readonly StaticRoute[];
  /** At the root of the server, also where the base URL has a path. */
  readonly rootRoutes?: readonly StaticRoute[];
  /** Below the base URL. */
  readonly formRoutes?: readonly FormRoute[];
  /** Below the base URL. */
  readonly bodyRoutes?: readonly BodyRoute[];
  /** The places of what takes forms and other bodies. */
  readonly bodyPlaces?: AdmissionLimits;
  /** Below the base URL; the first that fits answers. */
  readonly mounts?: readonly Mount[];
  readonly logger: Logger;
  /** A line in the log for each request; default yes. */
  readonly logsRequests?: boolean;
  /** What /metrics tells beside the metrics of HTTP, which are added. */
  readonly registry?: Registry;
  /** Of the style element of the HTML pages, as `sha256-...`. */
  readonly htmlStyleHash?: string;
  /** What every answer is given, in place of the headers of an API that scripts of any origin may ask. */
  readonly headers?: Headers;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  readonly port: number;
  /** Ends idle connections at once, lets running answers end, and destroys what is left after closeDeadlineMs. */
  close(): Promise<void>;
}

/** Serves the routes over HTTP/1.1. Rejects where the address cannot be listened on. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, logger, extraRoutes = [], rootRoutes = [], logsRequests = true } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const metrics = createHttpMetrics(options.registry ?? createAppMetrics().registry);
  const observer = createRequestObserver(logsRequests ? logger : undefined, metrics);
  const slices = new Slices();
  const connections = new Connections(limits, slices, (reason) => metrics.countShedConnection(reason));
  const headers =
    options.headers === undefined
      ? await createApiHeaders(options.htmlStyleHash)
      : createOwnHeaders(options.headers);
  const fixedHeaders = headers.fixed;
  const shared = { limits, observer, connections };
  const bodyRoutes = [
    ...(options.formRoutes ?? []).map((route) => takeForms(route, limits.maxFormBytes)),
    ...(options.bodyRoutes ?? []),
  ];
  const bodies = new Bodies({ ...options, routes: bodyRoutes, limits, connections });
  let isClosing = false;
  const app = createApp({
    ...options,
    ...shared,
    ...{ headers, bodyRoutes, extraRoutes, rootRoutes, bodies, metrics },
    isClosing: () => isClosing,
  });
  const refuse = createRefusal({
    answerFailure: service.answerFailure,
    fixedHeaders,
    endsConnection: (request) => bodies.endsConnection(request),
    metrics,
    logger,
  });
  const admit = admitRequests({
    ...{ limits, slices, connections, bodies, refuse },
    bodyPlaces: options.bodyPlaces ?? BODY_PLACES,
    answer: app.callback(),
  });
  const arrivalMs = Math.max(0, ...bodyRoutes.map((route) => route.arrivalMs ?? 0));
  const server = createNodeServer(limits, arrivalMs, connections, admit);
  answerUnreadable(server, { ...shared, fixedHeaders, answerFailure: service.answerFailure });
  const port = await listen(server, options.port, options.host);
  watch(server, logger);
  let closed: Promise<void> | undefined;
  const close = () => {
    isClosing = true;
    closed ??= closeServer(server, connections, limits.closeDeadlineMs);
    return closed;
  };
  return { port, close };
}

/** @param arrivalMs what a body may take that takes longest, on top of what any request may */
function createNodeServer(
  limits: HttpLimits,
  arrivalMs: number,
  connections: Connections,
  admit: RequestListener,
): Server {
  const server = createServer({
    insecureHTTPParser: false,
    // Refused by a middleware instead, with a body.
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestTimeoutMs,
    requestTimeout: limits.requestTimeoutMs + arrivalMs,
    connectionsCheckingInterval: limits.requestTimeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  });
  server.timeout = limits.stalledClientTimeoutMs;
  server.maxRequestsPerSocket = 0;
  // Their size is limited already; above a number of them, Node would leave out the rest without a word.
  server.maxHeadersCount = 0;
  server.on('connection', (socket) => connections.connect(socket));
  const begin: RequestListener = (request, response) =>
    connections.begin(request, response, () => admit(request, response));
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, begin);
  return server;
}

/** What supervisors ask has places of its own: it is answered however many requests wait. */
const PROBE = /^\/health\//;
const PROBE_LIMITS = { maxInFlight: 50, maxInFlightPerAddress: 50, maxRunning: 10, maxWaitMs: 400 };

/**
 * What takes bodies has places of its own too. Who signs in may wait for his turn for seconds while nothing is asked of the
 * database; in the places of the others, two addresses that guess would leave nobody any.
 */
const BODY_PLACES: AdmissionLimits = {
  maxInFlight: 200,
  maxInFlightPerAddress: 100,
  maxRunning: 100,
  maxWaitMs: 400,
};

/** How much of a request's time may be over when the work begins. */
const START_SHARE = 7 / 8;

interface AdmitOptions {
  readonly limits: HttpLimits;
  readonly slices: Slices;
  readonly connections: Connections;
  readonly bodies: Bodies;
  readonly bodyPlaces: AdmissionLimits;
  readonly answer: (...message: Parameters<RequestListener>) => Promise<void>;
  readonly refuse: Refuse;
}

/** Answers what can be answered in time and refuses the rest, whatever is asked for. */
function admitRequests(options: AdmitOptions): RequestListener {
  const { limits, slices, connections, bodies, answer, refuse } = options;
  const requests = createAdmission(limits, slices);
  const probes = createAdmission(PROBE_LIMITS, slices);
  const posts = createAdmission(options.bodyPlaces, slices);
  const isGone = ({ socket }: IncomingMessage) => socket.destroyed;
  const admit = (request: IncomingMessage, response: ServerResponse, latestStartMs: number) => {
    const others = bodies.isFor(request) ? posts : requests;
    const isTaken = (PROBE.test(request.url ?? '') ? probes : others).enter({
      address: request.socket.remoteAddress ?? '',
      latestStartMs,
      work: async () => (isGone(request) ? undefined : answer(request, response)),
      expire: () => refuse('requestBudgetSpent', request, response),
    });
    // Not at once: nothing may be written while requests are still being read, see RequestFeed.
    if (!isTaken) setImmediate(refuse, 'overloaded', request, response);
  };
  return (request, response) => {
    const latestStartMs = () => connections.arrivedAtMs(request) + limits.answerDeadlineMs * START_SHARE;
    bodies.read(request, response, {
      untilMs: latestStartMs,
      arrived: () => admit(request, response, latestStartMs()),
      late: () => refuse('requestBudgetSpent', request, response),
      full: () => refuse('overloaded', request, response),
    });
  };
}

function watch(server: Server, logger: Logger): void {
  // For example no file descriptor left for a connection: the next one may have better luck.
  server.on('error', (error) => logger.error({ error }, 'a connection could not be accepted'));
}

async function closeServer(server: Server, connections: Connections, deadlineMs: number): Promise<void> {
  // Ends the idle connections as well.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const ended = new AbortController();
  await Promise.race([connections.drained(), pause(deadlineMs, ended.signal)]);
  ended.abort();
  connections.destroyAll();
  await closed;
}
