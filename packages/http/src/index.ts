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
export { beginPieces, isPieces } from './encode-answer.js';
export { contentSecurityPolicy, pathWithoutTokens, withoutTokens } from './http-request.js';
export type { HttpLimits } from './limits.js';
export { OBSERVATION_PATHS } from './probes.js';
export { type HttpServer, type HttpServerOptions, startHttpServer } from './start-http-server.js';
