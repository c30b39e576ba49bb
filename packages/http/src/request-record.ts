import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@takt/run';
import { startRequestSpan } from '@takt/run/monitoring';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AnswerError } from './answer.js';
import { type Headers, type HttpMiddleware, pathWithoutTokens } from './http-request.js';
import type { HttpLimits } from './limits.js';

export interface Serving {
  readonly limits: HttpLimits;
  readonly observer: RequestObserver;
  readonly logger: Logger;
  readonly fixedHeaders: Headers;
  readonly answerError: AnswerError;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly isClosing: () => boolean;
}

interface RequestRecord {
  readonly requestId: string;
  /** Method of the request; empty if it could not be read. */
  readonly method: string;
  /** Path of the request, without the query. */
  readonly path: string;
  /** Template of the route; empty if no route matches. */
  readonly route: string;
  /** Status of the answer. Undefined if the connection was closed before an answer. */
  readonly status: number | undefined;
  /** Media type of the answer; empty if there is none. */
  readonly contentType: string;
  /** Number of bytes that were sent: status line, headers and body. */
  readonly bytesSent: number;
  readonly durationMs: number;
  /** True if the connection was closed before the end of the answer. */
  readonly isAborted: boolean;
  /** True if the request was refused because too many came at once. */
  readonly isRefused?: boolean;
  /** Node's error code if the request was malformed. */
  readonly reason?: string | undefined;
}

interface RequestObserver {
  begin(): void;
  end(record: RequestRecord): void;
}

const SHOWN_PATH_LENGTH = 300;
/**
 * A request that takes longer than this is always logged as slow, even if other requests with its status are not
 * logged.
 */
const SLOW_MS = 1_000;
/**
 * Maximum number of log lines per second for one status, which is 4 MB per hour. Lines are counted for each status, so
 * that a frequent status does not hide a rare status.
 */
const LINES_A_SECOND = 5;
/**
 * Maximum number of log lines per second for slow requests, and for each status or error that is a failure of the
 * service.
 */
export const FAILURE_LINES_A_SECOND = 10;
const LOG_INTERVAL_MS = 1_000;

/**
 * Counts and logs requests. If a status occurs often, only the first requests of a second are logged, followed by a
 * line with the number of requests that were not logged. At level debug all requests are logged. The log has neither
 * queries nor headers.
 * @param logger undefined if requests are only counted
 */
export function createRequestObserver(logger: Logger | undefined, metrics: RequestObserver): RequestObserver {
  if (logger === undefined) return metrics;
  const mayWrite = limitLines((leftOut) => logger.info({ leftOut }, 'more requests'));
  return {
    begin: () => metrics.begin(),
    end: (record) => {
      metrics.end(record);
      const { status = 0, durationMs, isAborted } = record;
      const level = status >= 500 ? 'error' : (logger.requestLevel ?? 'info');
      if (!logger.isLevelEnabled(level)) return;
      const isSlow = durationMs >= SLOW_MS;
      const kind = `${isAborted ? 'aborted' : status}${isSlow ? ' slow' : ''}`;
      const most = status >= 500 || isSlow ? FAILURE_LINES_A_SECOND : LINES_A_SECOND;
      if (logger.isLevelEnabled('debug') || mayWrite(kind, most)) logger[level](lineOf(record), 'request');
    },
  };
}

/**
 * Limits the number of log lines, so that no client can fill the disk. The returned function returns true if a line of
 * a kind may still be logged in this second, which is so for up to `most` lines. After the second, `tell` receives the
 * number of omitted lines of each kind.
 */
export function limitLines(tell: (leftOut: Readonly<Record<string, number>>) => void) {
  const counts = new Map<string, number>();
  const leftOut = new Map<string, number>();
  let isScheduled = false;
  const end = () => {
    isScheduled = false;
    counts.clear();
    if (leftOut.size > 0) tell(Object.fromEntries(leftOut));
    leftOut.clear();
  };
  return (kind: string, most: number): boolean => {
    if (!isScheduled) setTimeout(end, LOG_INTERVAL_MS).unref();
    isScheduled = true;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count > most) leftOut.set(kind, count - most);
    return count <= most;
  };
}

function lineOf({
  requestId,
  method,
  path,
  status,
  bytesSent,
  durationMs,
  isAborted,
  reason,
}: RequestRecord) {
  const shown = pathWithoutTokens(path);
  return {
    requestId,
    method,
    path: shown.length > SHOWN_PATH_LENGTH ? `${shown.slice(0, SHOWN_PATH_LENGTH)}…` : shown,
    status,
    bytesSent,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(isAborted ? { isAborted } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Records each request in a span of its own, after its answer was sent or its connection closed. */
export function observeRequest(observer: RequestObserver): HttpMiddleware {
  return (ctx, next) => {
    const { req: request, res: response, method, state } = ctx;
    const span = startRequestSpan(method, request.headers);
    const startedAtMs = performance.now();
    const countBytes = watchBytes(request.socket, response);
    observer.begin();
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : undefined;
      span.end(state.route, status);
      observer.end({
        requestId: state.request.id,
        method,
        path: state.fullPath,
        route: state.route,
        status,
        contentType: String(response.getHeader('Content-Type') ?? ''),
        bytesSent: countBytes(),
        durationMs: performance.now() - startedAtMs,
        isAborted: !response.writableFinished,
        isRefused: state.isRefused,
      });
    });
    return span.run(next);
  };
}

/** Counts the bytes that are sent on the connection until the end of the answer. */
function watchBytes(socket: Socket, response: ServerResponse): () => number {
  const before = socket.bytesWritten;
  let after: number | undefined;
  // This listener runs before Node's own listener, which passes the connection to the next answer.
  response.prependOnceListener('finish', () => {
    after = socket.bytesWritten;
  });
  return () => (after ?? socket.bytesWritten) - before;
}

/**
 * Name for an answer that is a stream in the metrics. A stream lasts until its client disconnects, so its duration says
 * nothing about the app.
 */
const STREAM = 'stream';
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/\bjson\b/, 'json'],
  [/\bxml\b/, 'xml'],
  [/\bhtml\b/, 'html'],
  [/\bcsv\b/, 'csv'],
  [/\bspreadsheetml\b/, 'xlsx'],
  [/\bevent-stream\b/, STREAM],
  [/./, 'other'],
];

/** Creates the HTTP metrics in the registry of the app. All names begin with takt_, and all times are in seconds. */
export function createHttpMetrics(registry: Registry): RequestObserver {
  const registers = [registry];
  const requests = new Counter({
    name: 'takt_http_requests_total',
    help: 'Requests by template of the route (empty: none matched), status and format of the answer; status aborted: the client had gone before its end, refused: too many came at once',
    labelNames: ['route', 'status', 'format'],
    registers,
  });
  const seconds = new Histogram({
    name: 'takt_http_request_seconds',
    help: 'Time from the headers of a request to the last byte of its answer, by route, format and class of the status, such as 2xx; without server-sent events',
    labelNames: ['route', 'format', 'status_class'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'takt_http_requests_in_flight',
    help: 'Requests that are being answered',
    registers,
  });
  return {
    begin: () => inFlight.inc(),
    end: ({ route, status, contentType, durationMs, isAborted, isRefused }) => {
      inFlight.dec();
      const format = nameFormat(contentType);
      const isWhole = !isAborted && status !== undefined;
      requests.inc({ route, status: isRefused ? 'refused' : isWhole ? status : 'aborted', format });
      if (isRefused) return;
      if (format === STREAM) return;
      const status_class = isWhole ? `${Math.floor(status / 100)}xx` : 'aborted';
      seconds.observe({ route, format, status_class }, durationMs / 1000);
    },
  };
}

function nameFormat(contentType: string): string {
  return FORMATS.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'none';
}
