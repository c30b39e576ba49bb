import type { AnswerFailure, ApiAnswer, ApiRequest, BodyRoute, Route, StaticRoute } from '@takt/http';
import { type SignInPageOptions, showSignIn, takeSignIn } from './sign-in-page.js';
import { answerLogout, answerTokenRequest, grantTypes } from './token-endpoint.js';

export const AUTHORIZATION_PATH = '/oauth2';
export const TOKEN_PATH = '/oauth2/access_token';
export const LOGOUT_PATH = '/oauth2/logout';

const MAX_FORM_BYTES = 16_384;
const METADATA_PATH = '/.well-known/oauth-authorization-server';
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'];

/** What OAuth 2 libraries find the endpoints by (RFC 8414). Clients at other origins may read it, as everything. */
function serverMetadata(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + AUTHORIZATION_PATH,
    token_endpoint: baseUrl + TOKEN_PATH,
    revocation_endpoint: baseUrl + LOGOUT_PATH,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}

function metadataAt(path: string, baseUrl: string): StaticRoute {
  return {
    path,
    contentType: 'application/json; charset=utf-8',
    body: () => JSON.stringify(serverMetadata(baseUrl)),
  };
}

/**
 * By the standard the path of the base URL stands behind /.well-known, which a proxy that passes on that path alone does
 * not reach: so it stands below the base URL too.
 */
export function metadataRoutes(baseUrl: string): {
  readonly below: readonly StaticRoute[];
  readonly atRoot: readonly StaticRoute[];
} {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  return {
    below: [metadataAt(METADATA_PATH, baseUrl)],
    atRoot: basePath === '' ? [] : [metadataAt(METADATA_PATH + basePath, baseUrl)],
  };
}

interface OAuthOptions extends SignInPageOptions {
  /** For what is no fault of the request. */
  readonly answerFailure: AnswerFailure;
}

/** The endpoints of OAuth 2, beside the resources. */
export function createOAuthRoutes(options: OAuthOptions): {
  readonly routes: readonly Route[];
  readonly bodyRoutes: readonly BodyRoute[];
} {
  const orFailure =
    <Request extends ApiRequest>(answer: (request: Request) => Promise<ApiAnswer>) =>
    (request: Request) =>
      answer(request).catch((thrown: unknown) => options.answerFailure(thrown, request));
  const formRoute = (path: string, answer: BodyRoute['answer']): BodyRoute => ({
    path,
    contentTypes: ['application/x-www-form-urlencoded'],
    maxBytes: MAX_FORM_BYTES,
    answer: orFailure(answer),
  });
  return {
    routes: [{ path: AUTHORIZATION_PATH, answer: orFailure((request) => showSignIn(request, options)) }],
    bodyRoutes: [
      formRoute(AUTHORIZATION_PATH, (request) => takeSignIn(request, options)),
      formRoute(TOKEN_PATH, (request) => answerTokenRequest(request, options.signIns)),
      formRoute(LOGOUT_PATH, (request) => answerLogout(request, options)),
    ],
  };
}
