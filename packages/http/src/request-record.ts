import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
 * Counts requests, and writes a line for each to the log, or, where there are many of a status, for the first of a second,
 * and then one that tells how many were left out. A line is never left out for what failed here or was slow, nor where
 * the log is for debugging. Neither the query nor any header of a request is logged.
 */
export function createRequestObserver(logger: Logger, metrics: RequestObserver): RequestObserver {
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

/** Tells of each request once its answer has been handed over or its connection is gone. */
export function observeRequest(observer: RequestObserver, connections: Connections): HttpMiddleware {
  return (ctx, next) => {
    const { req, res, state } = ctx;
    const method = ctx.method;
    const startedAtMs = performance.now();
    const countBytes = watchBytes(res);
    const span = startRequestSpan(method, req.headers);
    observer.begin();
    connections.whenEnded(req, res, () => {
      span.end(state.route, res.headersSent ? res.statusCode : undefined);
      observer.end({
        requestId: state.request.id,
        method,
        path: state.fullPath,
        route: state.route,
        status: res.headersSent ? res.statusCode : undefined,
        contentType: String(res.getHeader('Content-Type') ?? ''),
        bytesSent: countBytes(),
        durationMs: performance.now() - startedAtMs,
        isAborted: !res.writableFinished,
      });
    });
    return span.run(next);
  };
}

/** A connection carries one answer at a time: what it has sent from being given to the answer until its end. */
function watchBytes(response: ServerResponse): () => number {
  let socket: Socket | null = response.socket;
  let before = socket?.bytesWritten ?? 0;
  let after: number | undefined;
  response.once('socket', (given: Socket) => {
    socket = given;
    before = given.bytesWritten;
  });
  // Before Node's own listener, which gives the connection to the next answer.
  response.prependOnceListener('finish', () => {
    after = socket?.bytesWritten;
  });
  return () => (after ?? socket?.bytesWritten ?? before) - before;
}
