import type { AnswerFailure, ApiAnswer, ApiRequest, FormRoute, Route } from '@takt/http';
import { answerLogout } from './logout.js';
import { AUTHORIZATION_PATH, LOGOUT_PATH, TOKEN_PATH } from './server-metadata.js';
import { type SignInPageOptions, showSignIn, takeSignIn } from './sign-in-page.js';
import { answerTokenRequest } from './token-endpoint.js';

export interface OAuthOptions extends SignInPageOptions {
  /** For what is no fault of the request. */
  readonly answerFailure: AnswerFailure;
}

/** The endpoints of OAuth 2, beside the resources. */
export function createOAuthRoutes(options: OAuthOptions): {
  readonly routes: readonly Route[];
  readonly formRoutes: readonly FormRoute[];
} {
  const orFailure =
    <Request extends ApiRequest>(answer: (request: Request) => Promise<ApiAnswer>) =>
    (request: Request) =>
      answer(request).catch((thrown: unknown) => options.answerFailure(thrown, request));
  return {
    routes: [{ path: AUTHORIZATION_PATH, answer: orFailure((request) => showSignIn(request, options)) }],
    formRoutes: [
      { path: AUTHORIZATION_PATH, answer: orFailure((request) => takeSignIn(request, options)) },
      { path: TOKEN_PATH, answer: orFailure((request) => answerTokenRequest(request, options.signIns)) },
      { path: LOGOUT_PATH, answer: orFailure((request) => answerLogout(request, options)) },
    ],
  };
}
