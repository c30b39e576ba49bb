import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@takt/run';
import { startRequestSpan } from '@takt/run/monitoring';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AnswerError } from './answer.js';
import { type Connections, type ShedReason, shedReasons } from './connections.js';
import { type Headers, type HttpMiddleware, pathWithoutTokens } from './http-request.js';
import type { HttpLimits } from './limits.js';
import type { TimeSlices } from './time-slices.js';

/** Shared by all parts of a server. */
export interface Serving {
  readonly limits: HttpLimits;
  readonly slices: TimeSlices;
  readonly connections: Connections;
  readonly observer: RequestObserver;
  readonly metrics: HttpMetrics;
  readonly logger: Logger;
  /** Every answer has them. */
  readonly fixedHeaders: Headers;
  readonly answerError: AnswerError;
  /** Remote address of the client. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly isClosing: () => boolean;
}

/** A request that has been answered, for log and metrics. */
interface RequestRecord {
  readonly requestId: string;
  /** Empty where it could not be read. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Template of the route that answered; empty: none. */
  readonly route: string;
  /** undefined: the connection was gone before there was one. */
  readonly status: number | undefined;
  /** The answer's; empty: it has none. */
  readonly contentType: string;
  /** Status line, headers and body as they went to the connection. */
  readonly bytesSent: number;
  readonly durationMs: number;
  /** The connection was gone before the end of the answer. */
  readonly isAborted: boolean;
  /** Node's code of what made the request unreadable. */
  readonly reason?: string | undefined;
}

/** Told of every request when it begins and when its answer has ended. */
interface RequestObserver {
  begin(): void;
  end(record: RequestRecord): void;
}

const SHOWN_PATH_LENGTH = 300;
/** From here on a request is worth a line where others of its status are not. */
const SLOW_MS = 1_000;
/** For each status: 4 MB an hour. A status that is rare is not hidden by one that is not. */
const LINES_A_SECOND = 5;
/** For each status or error that is a failure here, and for slow requests. */
export const FAILURE_LINES_A_SECOND = 10;
const LOG_INTERVAL_MS = 1_000;

/**
 * Counts requests, and writes a line for each to the log, or, where there are many of a status, for the first of a second,
 * and then one that tells how many were left out. Where the log is for debugging, none is. Neither the query nor any header
 * of a request is logged.
 * @param logger undefined: requests are only counted
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
 * Says whether one more line of a kind may be written in this second, for at most `most` of them. Once the second is over, it
 * tells how many were left out. So no client can fill the disk, whatever it makes fail.
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

/** Records each request, within a span of its own, once its answer has been handed over or its connection is gone. */
export function observeRequest(observer: RequestObserver): HttpMiddleware {
  return (ctx, next) => {
    const { req: request, res: response, method, state } = ctx;
    const span = startRequestSpan(method, request.headers);
    const startedAtMs = performance.now();
    const countBytes = watchBytes(response);
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
      });
    });
    return span.run(next);
  };
}

/** Counts the bytes that the connection sends from now to the end of the answer. */
function watchBytes(response: ServerResponse): () => number {
  const { socket } = response;
  const before = socket?.bytesWritten ?? 0;
  let after: number | undefined;
  // Before Node's own listener, which gives the connection to the next answer.
  response.prependOnceListener('finish', () => {
    after = socket?.bytesWritten;
  });
  return () => (after ?? socket?.bytesWritten ?? before) - before;
}

interface HttpMetrics extends RequestObserver {
  /** A request that was refused before it was looked at. */
  countRefusal(contentType: string): void;
  countShedConnection(reason: ShedReason): void;
}

/** Its end is when who watches goes: how long that took says nothing of the app. */
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

/** The HTTP layer's metrics, in the registry of the app: names begin with takt_, times are in seconds. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'takt_http_requests_total',
    help: 'Requests by template of the route (empty: none matched), status and format of the answer; status aborted: the client had gone before its end, refused: before it was looked at, mostly because it could not have been answered in time',
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
  const shed = new Counter({
    name: 'takt_http_shed_connections_total',
    help: 'Connections that were ended because there were too many (connections), too many of one address (address), or because their clients did not take what they asked for (bytes)',
    labelNames: ['reason'],
    registers,
  });
  // From the start, so that the first one is seen as an increase.
  for (const reason of shedReasons) shed.inc({ reason }, 0);
  return {
    begin: () => inFlight.inc(),
    end: ({ route, status, contentType, durationMs, isAborted }) => {
      inFlight.dec();
      const format = nameFormat(contentType);
      const isWhole = !isAborted && status !== undefined;
      requests.inc({ route, status: isWhole ? status : 'aborted', format });
      if (format === STREAM) return;
      const status_class = isWhole ? `${Math.floor(status / 100)}xx` : 'aborted';
      seconds.observe({ route, format, status_class }, durationMs / 1000);
    },
    countRefusal: (contentType) =>
      requests.inc({ route: '', status: 'refused', format: nameFormat(contentType) }),
    countShedConnection: (reason) => shed.inc({ reason }),
  };
}

function nameFormat(contentType: string): string {
  return FORMATS.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'none';
}
