import type { IncomingMessage, ServerResponse } from 'node:http';
import { startRequestSpan } from '@takt/monitoring';
import type { Logger } from '@takt/runtime';
import type { Connections } from './connections.js';
import type { HttpMiddleware } from './http-request.js';
import { pathWithoutTokens } from './without-tokens.js';

/** What is kept of a request that has been answered. */
export interface RequestRecord {
  readonly requestId: string;
  /** Empty where it could not be read. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Template of the route that answered; empty: none. */
  readonly route: string;
  /** undefined: the connection was gone before there was one. */
  readonly status: number | undefined;
  /** Of the answer; empty: it has none. */
  readonly contentType: string;
  /** Status line, headers and body as they went to the connection. */
  readonly bytesSent: number;
  readonly durationMs: number;
  /** The connection was gone before the end of the answer. */
  readonly isAborted: boolean;
  /** Node's code of what made the request unreadable. */
  readonly reason?: string;
}

/** Told of every request when it begins and when its answer has ended. */
export interface RequestObserver {
  begin(): void;
  end(record: RequestRecord): void;
}

const SHOWN_PATH_LENGTH = 300;
/** From here on a request is worth a line, however many there are. */
const SLOW_MS = 1_000;
/** Of each status: 4 MB an hour. A status that is rare is not hidden by one that is not. */
const LINES_A_SECOND = 5;
const LOG_INTERVAL_MS = 1_000;

/**
/**
 * Counts requests, and writes a line for each to the log, or, where there are many of a status, for the first of a second,
 * and then one that tells how many were left out. A line is never left out for what failed here or was slow, nor where
 * the log is for debugging. Neither the query nor any header of a request is logged.
 * @param logger undefined: requests are only counted
 */
export function createRequestObserver(logger: Logger | undefined, metrics: RequestObserver): RequestObserver {
  if (logger === undefined) return metrics;
  const isAmongFirst = createSelection(logger);
  return {
    begin: () => metrics.begin(),
    end: (record) => {
      metrics.end(record);
      const { status = 0, durationMs } = record;
      const level = status >= 500 ? 'error' : (logger.requestLevel ?? 'info');
      const isWritten =
        logger.isLevelEnabled(level) && (status >= 500 || durationMs >= SLOW_MS || isAmongFirst(record));
      if (isWritten) logger[level](lineOf(record), 'request');
    },
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
  return {
    requestId,
    method,
    path: toLoggablePath(path),
    status,
    bytesSent,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(isAborted ? { isAborted } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Whether a request is among the first of its status in this second; tells the log of all others once it is over. */
function createSelection(logger: Logger): (record: RequestRecord) => boolean {
  const lines = new Map<string, number>();
  const tell = () => {
    const leftOut = Object.fromEntries(
      [...lines].flatMap(([outcome, count]) =>
        count > LINES_A_SECOND ? [[outcome, count - LINES_A_SECOND]] : [],
      ),
    );
    lines.clear();
    if (Object.keys(leftOut).length > 0) logger.info({ leftOut }, 'more requests');
  };
  return ({ status, isAborted }) => {
    if (logger.isLevelEnabled('debug')) return true;
    if (lines.size === 0) setTimeout(tell, LOG_INTERVAL_MS).unref();
    const outcome = isAborted ? 'aborted' : String(status);
    const count = (lines.get(outcome) ?? 0) + 1;
    lines.set(outcome, count);
    return count <= LINES_A_SECOND;
  };
}

function toLoggablePath(path: string): string {
  const shown = pathWithoutTokens(path);
  return shown.length > SHOWN_PATH_LENGTH ? `${shown.slice(0, SHOWN_PATH_LENGTH)}…` : shown;
}

export interface Recorded {
  readonly observer: RequestObserver;
  readonly connections: Connections;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What is known of a request when it begins, and of its answer when that has ended. */
export interface Known {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly answered: () => Pick<RequestRecord, 'route' | 'contentType'>;
}

/** Tells of a request now, and once its answer has been handed over or its connection is gone. */
export function recordRequest(
  { observer, connections, request, response }: Recorded,
  { id, method, path, answered }: Known,
): void {
  const startedAtMs = performance.now();
  const countBytes = watchBytes(response);
  observer.begin();
  connections.whenEnded(request, () =>
    observer.end({
      requestId: id,
      method,
      path,
      status: response.headersSent ? response.statusCode : undefined,
      ...answered(),
      bytesSent: countBytes(),
      durationMs: performance.now() - startedAtMs,
      isAborted: !response.writableFinished,
    }),
  );
}

/** Records each request, within a span of its own. */
export function observeRequest(observer: RequestObserver, connections: Connections): HttpMiddleware {
  return (ctx, next) => {
    const { req: request, res: response, method, state } = ctx;
    const span = startRequestSpan(method, request.headers);
    const answered = () => ({
      route: state.route,
      contentType: String(response.getHeader('Content-Type') ?? ''),
    });
    connections.whenEnded(request, () =>
      span.end(state.route, response.headersSent ? response.statusCode : undefined),
    );
    recordRequest(
      { observer, connections, request, response },
      { id: state.request.id, method, path: state.fullPath, answered },
    );
    return span.run(next);
  };
}

/** What the connection sends from now to the end of the answer. */
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
