export type { AdmissionLimits } from './admission.js';
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
  Mount,
  MountedRequest,
  Route,
  Service,
  StaticRoute,
  WholeAnswer,
  WholeBody,
} from './answer.js';
export { bodyOf } from './answer.js';
export { createAnswerFailure, type FailureOptions, toServiceError } from './answer-failure.js';
export { type ErrorObject, errorObjectOf, type InnerErrorObject } from './error-object.js';
export { contentSecurityPolicy, type Headers } from './headers.js';
export type { HttpLimits } from './limits.js';
export { OBSERVATION_PATHS } from './observation.js';
export { beginPieces, isPieces, type Pieces } from './pieces.js';
export { type HttpServer, type HttpServerOptions, startHttpServer } from './start-http-server.js';
export { pathWithoutTokens, withoutTokens } from './without-tokens.js';
