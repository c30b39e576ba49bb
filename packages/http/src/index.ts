export type {
  AnswerFailure,
  ApiAnswer,
  ApiRequest,
  Body,
  BodyFault,
  BodyRequest,
  BodyRoute,
  FormRequest,
  FormRoute,
  MountedRequest,
  Pieces,
  Route,
  Service,
  StaticRoute,
  WholeAnswer,
} from './answer.js';
export { bodyOf } from './answer.js';
export { createAnswerFailure, type ErrorObject, errorObjectOf, toServiceError } from './answer-failure.js';
export { contentSecurityPolicy } from './headers.js';
export { pathWithoutTokens, withoutTokens } from './http-request.js';
export type { HttpLimits } from './limits.js';
export { OBSERVATION_PATHS } from './probes.js';
export { beginPieces, isPieces } from './send-answer.js';
export { type HttpServer, type HttpServerOptions, startHttpServer } from './start-http-server.js';
