import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpMiddleware } from '../http-context.js';
import type { OpenAnswers } from '../open-answers.js';
import type { RequestObserver } from '../request-record.js';

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
