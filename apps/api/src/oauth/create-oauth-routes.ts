import type { AnswerError, ApiAnswer, ApiRequest, BodyRoute, Route } from '@takt/http';
import { formRoute } from '../service/form-route.js';
import { AUTHORIZATION_PATH, LOGOUT_PATH, OPENING_PATH, TOKEN_PATH } from './paths.js';
import { answerLogout, openByCode, type SignInPageOptions, showSignIn, takeSignIn } from './sign-in.js';
import { answerTokenRequest } from './token-endpoint.js';

interface OAuthOptions extends SignInPageOptions {
  /** Makes the answer for an error that the pages and endpoints do not handle themselves. */
  readonly answerError: AnswerError;
}

export function createOAuthRoutes(options: OAuthOptions): {
  readonly routes: readonly Route[];
  readonly bodyRoutes: readonly BodyRoute[];
} {
  const orErrorPage =
    <Request extends ApiRequest>(answer: (request: Request) => Promise<ApiAnswer>) =>
    (request: Request) =>
      answer(request).catch((thrown: unknown) => options.answerError(thrown, request));
  return {
    routes: [
      { path: AUTHORIZATION_PATH, answer: orErrorPage((request) => showSignIn(request, options)) },
      { path: OPENING_PATH, answer: orErrorPage((request) => openByCode(request, options)) },
    ],
    bodyRoutes: [
      formRoute(
        AUTHORIZATION_PATH,
        orErrorPage((request) => takeSignIn(request, options)),
      ),
      formRoute(
        TOKEN_PATH,
        orErrorPage((request) => answerTokenRequest(request, options.signIns)),
      ),
      formRoute(
        LOGOUT_PATH,
        orErrorPage((request) => answerLogout(request, options)),
      ),
    ],
  };
}
