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

/**
 * Counts requests, and writes a line for each to the log. Neither the query nor any header of a request is logged.
 * @param logger undefined: they are only counted
 */
export function createRequestObserver(logger: Logger | undefined, metrics: RequestObserver): RequestObserver {
  return {
    begin: () => metrics.begin(),
    end: (record) => {
      metrics.end(record);
      if (logger === undefined) return;
      const { requestId, method, status, bytesSent, isAborted, reason } = record;
      const line = {
        requestId,
        method,
        path: toLoggablePath(record.path),
        status,
        bytesSent,
        durationMs: Math.round(record.durationMs * 10) / 10,
        ...(isAborted ? { isAborted } : {}),
        ...(reason === undefined ? {} : { reason }),
      };
      logger[(status ?? 0) >= 500 ? 'error' : 'info'](line, 'request');
    },
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
