import { statusDescriptions } from '@takt/catalogue/errors';
import type { StaticRoute } from '@takt/http';
import { oauthErrorCodes } from '../oauth/authenticate-client.js';
import { AUTHORIZATION_PATH, LOGOUT_PATH, TOKEN_PATH } from '../oauth/paths.js';
import { grantTypes } from '../oauth/token-endpoint.js';
import { type JsonObject, schemaReference } from './describe-schemas.js';

/** The endpoints that issue and revoke tokens, for the OpenAPI document. */
export const oauthPaths: Readonly<Record<string, JsonObject>> = {
  [TOKEN_PATH]: {
    post: {
      operationId: 'getAccessToken',
      tags: ['sign-in'],
      summary: 'Get an access token',
      description:
        'OAuth 2 (RFC 6749): returns a token for valid credentials. The client authenticates by HTTP Basic or in the form; a header of another scheme is ignored.',
      security: [{ client: [] }, {}],
      requestBody: formOf('TokenRequest'),
      responses: {
        200: answerOf('TokenAnswer', 'The token.', {
          access_token: `takt_${'0'.repeat(43)}`,
          token_type: 'Bearer',
          expires_in: 3600,
          refresh_token: `takt_refresh_${'0'.repeat(43)}`,
          is_target_test_system: false,
        }),
        400: refused(),
        500: failed(),
      },
    },
  },
  [LOGOUT_PATH]: {
    post: {
      operationId: 'endToken',
      tags: ['sign-in'],
      summary: 'End a token',
      description:
        "RFC 7009: revokes a token and all tokens of the same sign-in. Holding the token is enough: a client is not required, but if its secret is sent it is checked, and only the client's own tokens can be revoked. Without `token` in the form the one in the Authorization header is revoked.",
      security: [{ client: [] }, { bearer: [] }, {}],
      requestBody: formOf('EndRequest'),
      responses: {
        200: answerOf('EndAnswer', 'The token is revoked, or never existed.', {}),
        400: refused(),
        500: failed(),
      },
    },
  },
};

function formOf(name: string): JsonObject {
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: schemaReference(name) } },
  };
}

function answerOf(name: string, description: string, example: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema: schemaReference(name), example } } };
}

function refused(): JsonObject {
  const message = 'The client is unknown or disabled, or its client_secret is wrong or missing.';
  return {
    ...answerOf('OAuthError', 'The error, with a code of OAuth 2.', {
      error: 'invalid_client',
      error_description: message,
      message,
    }),
    headers: {
      'WWW-Authenticate': {
        description: 'If the client in HTTP Basic was refused.',
        schema: { type: 'string' },
      },
      'Retry-After': {
        description: 'With `slow_down`: seconds until a retry is useful.',
        schema: { type: 'integer' },
      },
    },
  };
}

function failed(): JsonObject {
  return { $ref: `#/components/responses/${statusDescriptions[500]}` };
}

const text = (description: string): JsonObject => ({ type: 'string', description });
const clientFields: JsonObject = {
  client_id: text('The number of the client, without HTTP Basic.'),
  client_secret: text('Its secret; a public client has none.'),
};

export const oauthSchemas: JsonObject = {
  TokenRequest: {
    type: 'object',
    description: 'The credentials for a token.',
    properties: {
      grant_type: { type: 'string', enum: [...grantTypes] },
      ...clientFields,
      username: text('With `password`: the number of the person (PID).'),
      password: { ...text('With `password`.'), format: 'password' },
      refresh_token: text('With `refresh_token`: works once, and returns the next one.'),
      code: text('With `authorization_code`: works once, even if the request fails.'),
      redirect_uri: text('With `authorization_code`: the one for which the code was issued.'),
      code_verifier: text('With `authorization_code`: the text whose SHA-256 is the code_challenge (PKCE).'),
    },
    required: ['grant_type'],
  },
  TokenAnswer: {
    type: 'object',
    description: 'A token and its lifetime.',
    properties: {
      access_token: text('Opaque.'),
      token_type: { type: 'string', const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Seconds.' },
      refresh_token: text('If a person signed in.'),
      is_target_test_system: { type: 'boolean' },
    },
    required: ['access_token', 'token_type', 'expires_in', 'is_target_test_system'],
  },
  EndRequest: {
    type: 'object',
    description: 'The token to revoke.',
    properties: {
      token: text('An access token or a refresh token.'),
      token_type_hint: text('Is not needed.'),
      ...clientFields,
    },
  },
  EndAnswer: { type: 'object', description: 'No content.', properties: {} },
  OAuthError: {
    type: 'object',
    description: 'An error of OAuth 2 (RFC 6749, 5.2).',
    properties: {
      error: {
        type: 'string',
        enum: [...oauthErrorCodes],
        description:
          '`slow_down` (RFC 8628, 3.5): too many sign-ins at the moment, or too many failures for this person.',
      },
      error_description: text("The remedy, for the client's developer."),
      message: text('The same.'),
    },
    required: ['error', 'error_description', 'message'],
  },
};

/** The ways to authenticate clients, and the flows by which they get a token. */
export function oauthSecuritySchemes(baseUrl: string): JsonObject {
  const tokenUrl = baseUrl + TOKEN_PATH;
  const withRefresh = { tokenUrl, refreshUrl: tokenUrl, scopes: {} };
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'The same access token, obtained by OAuth 2. There are no scopes: rights belong to the client and the person.',
      flows: {
        clientCredentials: { tokenUrl, scopes: {} },
        password: withRefresh,
        authorizationCode: { authorizationUrl: baseUrl + AUTHORIZATION_PATH, ...withRefresh },
      },
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description: 'Id and secret of a client, each form-encoded.',
    },
  };
}

const METADATA_PATH = '/.well-known/oauth-authorization-server';
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'];

/**
 * The metadata of the authorization server, which OAuth 2 libraries read (RFC 8414). Clients of any origin may read
 * them.
 */
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
 * The routes of the metadata. By the standard, the metadata are under /.well-known at the root of the server, followed
 * by the path of the base URL. But a proxy that forwards only the path of the base URL does not forward that address.
 * So the document is served below the base URL too.
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
