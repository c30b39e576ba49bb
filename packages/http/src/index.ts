export type {
  AnswerError,
  ApiAnswer,
  ApiRequest,
  Body,
  BodyProblem,
  BodyRequest,
  BodyRoute,
  Mount,
  MountedRequest,
  Pieces,
  Route,
  Service,
  StaticRoute,
  StreamRequest,
  StreamRoute,
  WholeAnswer,
} from './answer.js';
export { bodyOf } from './answer.js';
export { createAnswerError, type ErrorObject, errorObjectOf, toServiceError } from './answer-error.js';
export { beginPieces, isPieces } from './encode-answer.js';
export { contentSecurityPolicy, pathWithoutTokens, withoutTokens } from './http-request.js';
export type { HttpLimits } from './limits.js';
export { OBSERVATION_PATHS } from './probes.js';
export { createRouteFinder, type FoundRoute } from './router.js';
export { type HttpServer, type HttpServerOptions, startHttpServer } from './start-http-server.js';
