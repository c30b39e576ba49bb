import type { Logger } from '@takt/runtime';
import Koa from 'koa';
import type { Service } from './answer.js';
import { breakOff } from './break-off.js';
import type { AnswerThrown } from './error-answer.js';
import type { Headers } from './fixed-headers.js';
import type { HttpMiddleware, RequestState } from './http-context.js';
import type { HttpMetrics } from './http-metrics.js';
import type { HttpLimits } from './limits.js';
import { answerErrors } from './middleware/answer-errors.js';
import { beginRequest } from './middleware/begin-request.js';
import { checkMessage } from './middleware/check-message.js';
import { compress } from './middleware/compress.js';
import { endConnection } from './middleware/end-connection.js';
import { notFound } from './middleware/not-found.js';
import { notModified } from './middleware/not-modified.js';
import { observeRequest } from './middleware/observe-request.js';
import { refuseWhileClosing } from './middleware/refuse-while-closing.js';
import type { OpenAnswers } from './open-answers.js';
import type { RequestObserver } from './request-record.js';
import { createRouter } from './routes/create-router.js';
import { observationRoutes } from './routes/observation-routes.js';
import { resourceRoutes } from './routes/resource-routes.js';
import { staticRoutes } from './routes/static-routes.js';
import type { StaticRoute } from './static-route.js';

export interface AppOptions {
  readonly basePath: string;
  readonly service: Service;
  readonly extraRoutes: readonly StaticRoute[];
  readonly logger: Logger;
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly observer: RequestObserver;
  readonly openAnswers: OpenAnswers;
  readonly answerThrown: AnswerThrown;
  /** Those that give every answer its headers. */
  readonly headerMiddlewares: readonly Koa.Middleware[];
  /** What the middlewares above give. */
  readonly fixedHeaders: Headers;
  readonly isClosing: () => boolean;
}

/** The way of a request, from the outside in. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { limits, service, isClosing } = options;
  const middlewares: readonly HttpMiddleware[] = [
    beginRequest(options.basePath),
    observeRequest(options.observer, options.openAnswers),
    ...options.headerMiddlewares,
    endConnection({ ...limits, isClosing }),
    answerErrors(options.answerThrown, options.fixedHeaders),
    checkMessage(),
    compress(limits.compressAboveBytes),
    notModified(),
    createRouter(observationRoutes({ ...options, findProblems: () => service.findProblems() }), 'root'),
    refuseWhileClosing(isClosing),
    createRouter([...staticRoutes(options.extraRoutes), ...resourceRoutes(service.routes, limits)], 'base'),
    notFound(),
  ];
  const app = new Koa<RequestState>({ env: 'production' });
  for (const middleware of middlewares) app.use(middleware);
  app.context.onerror = breakOff(options.logger);
  return app;
}
