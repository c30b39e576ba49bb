import { createServer, type RequestListener, type Server } from 'node:http';
import { type Logger, listen, withDeadline } from '@takt/run';
import { createAppMetrics } from '@takt/run/monitoring';
import type { Registry } from 'prom-client';
import { type AdmissionLimits, admitRequests } from './admission.js';
import type { BodyRoute, FormRoute, Mount, Service, StaticRoute } from './answer.js';
import { Bodies } from './bodies.js';
import { createClientAddresses } from './client-address.js';
import { Connections, type ShedReason } from './connections.js';
import { createApp } from './create-app.js';
import { apiHeaders } from './headers.js';
import type { BasePath, Headers } from './http-request.js';
import { defaultHttpLimits, type HttpLimits } from './limits.js';
import { probeRoutes } from './probes.js';
import { answerUnreadable } from './raw-answers.js';
import { createRefusal } from './refuse-quickly.js';
import { createHttpMetrics, createRequestObserver, type Serving } from './request-record.js';
import { Turns } from './turns.js';

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
  /** The places of what takes bodies. */
  readonly bodyPlaces?: AdmissionLimits;
  /** Below the base URL; the first that fits answers. */
  readonly mounts?: readonly Mount[];
  readonly logger: Logger;
  /** A line in the log for each request; default yes. */
  readonly logsRequests?: boolean;
  /** Other metrics for /metrics; those of HTTP are added. */
  readonly registry?: Registry;
  /** Hash of the style element of the HTML pages, as `sha256-...`. */
  readonly htmlStyleHash?: string;
  /** For every answer, in place of the headers of an API that scripts of any origin may ask. */
  readonly headers?: Headers;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and ranges of proxies that tell the address of a client; others are not believed. Default: none. */
  readonly trustedProxies?: readonly string[];
}

export interface HttpServer {
  readonly port: number;
  /** Ends idle connections at once, lets running answers end, and destroys what is left after closeDeadlineMs. */
  close(): Promise<void>;
}

/** Serves the routes over HTTP/1.1. Rejects where the address cannot be listened on. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, logger, formRoutes = [], logsRequests = true } = options;
  const bodyRoutes = [...formRoutes.map(takeForms), ...(options.bodyRoutes ?? [])];
  const limits = { ...defaultHttpLimits, ...options.limits };
  const registry = options.registry ?? createAppMetrics().registry;
  const metrics = createHttpMetrics(registry);
  const { isProxy, addressOf } = createClientAddresses(options.trustedProxies ?? []);
  const turns = new Turns();
  const onShed = (reason: ShedReason) => metrics.countShedConnection(reason);
  const connections = new Connections({ limits, turns, isProxy, onShed });
  let closed: Promise<void> | undefined;
  const serving: Serving = {
    ...{ limits, turns, connections, metrics, logger, addressOf },
    observer: createRequestObserver(logsRequests ? logger : undefined, metrics),
    fixedHeaders: options.headers ?? apiHeaders(options.htmlStyleHash),
    answerFailure: service.answerFailure,
    isClosing: () => closed !== undefined,
  };
  const bodies = new Bodies({ ...options, ...serving, routes: bodyRoutes });
  const probes = probeRoutes({ ...serving, service, registry });
  const admit = admitRequests({
    ...serving,
    bodies,
    bodyPlaces: options.bodyPlaces,
    answer: createApp({ ...options, ...serving, bodyRoutes, bodies, probes }).callback(),
    refuse: createRefusal({ ...serving, bodies }),
  });
  const arrivalMs = Math.max(0, ...bodyRoutes.map((route) => route.arrivalMs ?? 0));
  const server = createNodeServer(limits, arrivalMs, connections, admit);
  answerUnreadable(server, serving);
  const port = await listen(server, options.port, options.host);
  // For example no file descriptor left for a connection: the next one may have better luck.
  server.on('error', (error) => logger.error({ error }, 'a connection could not be accepted'));
  const close = () => {
    closed ??= closeServer(server, connections, limits.closeDeadlineMs);
    return closed;
  };
  return { port, close };
}

const MAX_FORM_BYTES = 16_384;

/** A route of forms as one that takes a body. */
function takeForms({ path, answer }: FormRoute): BodyRoute {
  return {
    path,
    contentTypes: ['application/x-www-form-urlencoded'],
    maxBytes: MAX_FORM_BYTES,
    answer: ({ body, ...request }) =>
      answer({ ...request, formText: body.fault === undefined ? body.bytes.toString() : undefined }),
  };
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
  // A client that ends its side still waits for its answer. Node's types leave the property out.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => connections.connect(socket));
  const begin: RequestListener = (request, response) =>
    connections.begin(request, response, () => admit(request, response));
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, begin);
  return server;
}

async function closeServer(server: Server, connections: Connections, deadlineMs: number): Promise<void> {
  // Ends the idle connections as well.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await withDeadline(connections.drained(), deadlineMs, () => undefined);
  connections.destroyAll();
  await closed;
}
