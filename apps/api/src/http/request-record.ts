import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@takt/runtime';
import type { HttpMiddleware } from './http-request.js';
import type { OpenAnswers } from './open-answers.js';

/** What is kept of a request that has been answered. */
export interface RequestRecord {
  readonly requestId: string;
  /** Empty where it could not be read. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Template of the route that answered; empty: none. */
  readonly route: string;
  readonly status: number;
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

/** Counts requests, and writes a line for each to the log. Neither the query nor any header of a request is logged. */
export function createRequestObserver(logger: Logger, metrics: RequestObserver): RequestObserver {
  return {
    begin: () => metrics.begin(),
    end: (record) => {
      metrics.end(record);
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
      logger[status >= 500 ? 'error' : 'info'](line, 'request');
    },
  };
}

/** A client that forgets the `?` or the name puts its token into the path. */
function toLoggablePath(path: string): string {
  const secretAt = path.search(/access_?token|bearer|takt_/i);
  const shown = secretAt < 0 ? path : `${path.slice(0, secretAt)}[redacted]`;
  return shown.length > SHOWN_PATH_LENGTH ? `${shown.slice(0, SHOWN_PATH_LENGTH)}…` : shown;
}

/** Tells of each request once its answer has been handed over or its connection is gone. */
export function observeRequest(observer: RequestObserver, openAnswers: OpenAnswers): HttpMiddleware {
  return (ctx, next) => {
    const { req, res, state } = ctx;
    const method = ctx.method;
    const startedAtMs = performance.now();
    const countBytes = watchBytes(res);
    observer.begin();
    openAnswers.whenEnded(req, res, () =>
      observer.end({
        requestId: state.request.id,
        method,
        path: state.fullPath,
        route: state.route,
        status: res.statusCode,
        contentType: String(res.getHeader('Content-Type') ?? ''),
        bytesSent: countBytes(),
        durationMs: performance.now() - startedAtMs,
        isAborted: !res.writableFinished,
      }),
    );
    return next();
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
