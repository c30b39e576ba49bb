import { createServer, type RequestListener, type Server } from 'node:http';
import { type Logger, listen, pause } from '@takt/runtime';
import type { Service, StaticRoute } from './answer.js';
import { createApp } from './create-app.js';
import { collectFixedHeaders, createCrossOrigin, createSecurityHeaders } from './headers.js';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.js';
import { defaultHttpLimits, type HttpLimits } from './limits.js';
import { OpenAnswers } from './open-answers.js';
import { answerUnreadable } from './raw-answers.js';
import { createRequestObserver } from './request-record.js';

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Path of the base URL without a slash at its end; mostly empty. Health and metrics are not below it. */
  readonly basePath: string;
  readonly service: Service;
  /** Below the base URL. */
  readonly extraRoutes: readonly StaticRoute[];
  readonly logger: Logger;
  /** Of the style element of the HTML pages, as `sha256-...`. */
  readonly htmlStyleHash?: string;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  readonly port: number;
  /** Ends idle connections at once, lets running answers end, and destroys what is left after closeDeadlineMs. */
  close(): Promise<void>;
}

/** Serves the routes over HTTP/1.1. Rejects where the address cannot be listened on. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, logger } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const metrics = createHttpMetrics();
  const observer = createRequestObserver(logger, metrics);
  const openAnswers = new OpenAnswers();
  const headerMiddlewares = [createSecurityHeaders(options.htmlStyleHash), createCrossOrigin()];
  const fixedHeaders = await collectFixedHeaders(headerMiddlewares);
  const shared = { limits, observer, openAnswers, fixedHeaders };
  let isClosing = false;
  const app = createApp({ ...options, ...shared, headerMiddlewares, metrics, isClosing: () => isClosing });
  const server = createNodeServer(limits, openAnswers, app.callback());
  answerUnreadable(server, { ...shared, answerFailure: service.answerFailure });
  const port = await listen(server, options.port, options.host);
  watch(server, logger, metrics);
  let closed: Promise<void> | undefined;
  const close = () => {
    isClosing = true;
    closed ??= closeServer(server, openAnswers, limits.closeDeadlineMs);
    return closed;
  };
  return { port, close };
}

function createNodeServer(limits: HttpLimits, openAnswers: OpenAnswers, answer: RequestListener): Server {
  const server = createServer({
    insecureHTTPParser: false,
    // Refused by a middleware instead, with a body.
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.requestTimeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  });
  server.timeout = limits.stalledClientTimeoutMs;
  server.maxConnections = limits.maxConnections;
  server.maxRequestsPerSocket = 0;
  // Their size is limited already; above a number of them, Node would leave out the rest without a word.
  server.maxHeadersCount = 0;
  server.on('connection', (socket) => openAnswers.connect(socket));
  const begin: RequestListener = (request, response) => {
    openAnswers.begin(request, response);
    answer(request, response);
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, begin);
  return server;
}

function watch(server: Server, logger: Logger, metrics: HttpMetrics): void {
  // For example no file descriptor left for a connection: the next one may have better luck.
  server.on('error', (error) => logger.error({ error }, 'a connection could not be accepted'));
  server.on('drop', () => metrics.countDroppedConnection());
}

async function closeServer(server: Server, openAnswers: OpenAnswers, deadlineMs: number): Promise<void> {
  // Ends the idle connections as well.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const ended = new AbortController();
  await Promise.race([openAnswers.drained(), pause(deadlineMs, ended.signal)]);
  ended.abort();
  openAnswers.destroyConnections();
  await closed;
}
