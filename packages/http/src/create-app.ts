import { ServiceError } from '@takt/catalogue/errors';
import type { Logger } from '@takt/run';
import Koa from 'koa';
import type { AnswerFailure, BodyRoute, Mount, Service, StaticRoute } from './answer.js';
import type { Bodies } from './bodies.js';
import { encodeAnswer, notModified } from './encode-answer.js';
import { giveHeaders } from './headers.js';
import {
  type BasePath,
  beginRequest,
  checkMessage,
  type Headers,
  type HttpMiddleware,
  pathWithoutTokens,
  type RequestState,
} from './http-request.js';
import { FAILURE_LINES_A_SECOND, limitLines, observeRequest, type Serving } from './request-record.js';
import {
  bodyRoutes,
  createRouter,
  mountRows,
  type RouteRow,
  resourceRoutes,
  staticRoutes,
} from './router.js';
import { sendAnswer } from './send-answer.js';

interface AppOptions extends BasePath, Serving {
  readonly service: Service;
  readonly probes: readonly RouteRow[];
  readonly extraRoutes?: readonly StaticRoute[];
  /** Not below the base URL. */
  readonly rootRoutes?: readonly StaticRoute[];
  readonly bodyRoutes: readonly BodyRoute[];
  readonly mounts?: readonly Mount[];
  readonly bodies: Bodies;
}

/** The way of a request, from the outside in. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { connections, fixedHeaders, limits, service, isClosing, bodies } = options;
  const middlewares: readonly HttpMiddleware[] = [
    beginRequest(options),
    observeRequest(options.observer),
    giveHeaders(fixedHeaders),
    endConnection(bodies, isClosing),
    catchFailures(service.answerFailure, fixedHeaders),
    checkMessage(),
    encodeAnswer(limits.compressAboveBytes, connections),
    notModified(),
    createRouter([...options.probes, ...staticRoutes(options.rootRoutes ?? [])], 'root'),
    refuseWhileClosing(isClosing),
    createRouter(
      [
        ...staticRoutes(options.extraRoutes ?? []),
        ...resourceRoutes(service.routes, options),
        ...bodyRoutes(options.bodyRoutes, bodies, options),
      ],
      'base',
      mountRows(options.mounts ?? [], options),
    ),
    notFound(),
  ];
  const app = new Koa<RequestState>({ env: 'production' });
  for (const middleware of middlewares) app.use(middleware);
  app.context.onerror = breakOff(options.logger);
  return app;
}

/** After these the connection ends, as their texts say. */
const LAST_ON_CONNECTION: readonly string[] = ['malformedRequest', 'hostHeaders', 'shuttingDown'];

/** Answers whatever is thrown further in. Nothing stays of an answer that had been begun. */
function catchFailures(answerFailure: AnswerFailure, fixedHeaders: Headers): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { request } = ctx.state;
      const answer = answerFailure(thrown, request);
      for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
      ctx.set({ ...fixedHeaders, 'X-Request-Id': request.id });
      if (thrown instanceof ServiceError && LAST_ON_CONNECTION.includes(thrown.code)) {
        ctx.set('Connection', 'close');
      }
      await sendAnswer(ctx, answer);
    }
  };
}

/** Decides which answers are the last of their connection. */
function endConnection(bodies: Bodies, isClosing: () => boolean): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (isClosing() || bodies.endsConnection(ctx.req)) ctx.set('Connection', 'close');
  };
}

/** Refuses what comes after the server began to close; what was running before ends as usual. */
function refuseWhileClosing(isClosing: () => boolean): HttpMiddleware {
  return (_ctx, next) => {
    if (isClosing()) throw new ServiceError('shuttingDown');
    return next();
  };
}

const WHOLE_SERVER = '*';

/** Answers what no route took: the path does not exist, or has no such method. `OPTIONS *` asks whether the server lives. */
function notFound(): HttpMiddleware {
  return (ctx) => {
    const { path } = ctx.state.request;
    // Nobody sees the body that HEAD's headers describe, but its length is to be that of GET's.
    const verb = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    if (ctx.method !== 'OPTIONS' || path !== WHOLE_SERVER) {
      throw new ServiceError('resourceNotFound', { verb, path: pathWithoutTokens(path) });
    }
    ctx.set('Allow', 'GET, HEAD, OPTIONS');
    ctx.status = 204;
  };
}

/** A client that went away, or was given up. */
const CLIENT_LEFT: readonly string[] = ['ABORT_ERR', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Stands in for Koa's own handler, which would write `Internal Server Error` without any of our headers. Errors of a
 * request are answered by catchFailures; what comes here is a connection that broke, or a body that broke off. It ends
 * the connection, so that no half document looks whole.
 */
function breakOff(logger: Logger): (this: Koa.Context, error: unknown) => void {
  const mayWrite = limitLines((leftOut) => logger.error({ leftOut }, 'more answers broke off'));
  return function onError(error) {
    const { res, state } = this;
    if (error === null || error === undefined || res.destroyed) return;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const level = CLIENT_LEFT.includes(code) ? 'debug' : 'error';
    if (level === 'debug' || mayWrite('answers', FAILURE_LINES_A_SECOND)) {
      logger[level]({ requestId: state['request']?.id, error }, 'an answer broke off');
    }
    res.destroy();
  };
}
