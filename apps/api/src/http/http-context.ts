import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiRequest } from './answer.js';

/** What is known of a request from the first middleware on. */
export interface RequestState {
  readonly request: ApiRequest;
  /** With the base path; `request.path` is without it. */
  readonly fullPath: string;
  /** False where the base URL has a path and the request is not below it. */
  readonly isBelowBase: boolean;
  /** The template of the route that answers, for metrics; empty while there is none. */
  route: string;
}

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;
