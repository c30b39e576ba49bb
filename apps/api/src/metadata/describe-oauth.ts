import { statusDescriptions } from '@takt/catalogue/errors';
import type { StaticRoute } from '@takt/http';
import { oauthErrorCodes } from '../oauth/authenticate-client.js';
import { AUTHORIZATION_PATH, LOGOUT_PATH, TOKEN_PATH } from '../oauth/paths.js';
import { grantTypes } from '../oauth/token-endpoint.js';
import { type JsonObject, schemaReference } from './describe-schemas.js';

/** The token endpoints, for the OpenAPI document. */
export const oauthPaths: Readonly<Record<string, JsonObject>> = {
  [TOKEN_PATH]: {
    post: {
      operationId: 'getAccessToken',
      tags: ['sign-in'],
      summary: 'Get an access token',
      description:
        'OAuth 2 (RFC 6749): a token for what the client shows. The client is named by HTTP Basic, else by the form; a header of another scheme is ignored.',
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
        'RFC 7009: ends a token with all of the same sign-in. Who has it may end it: no client is needed, but one that shows a secret is checked, and ends tokens of its own. Without `token` in the form it is the one in the Authorization header.',
      security: [{ client: [] }, { bearer: [] }, {}],
      requestBody: formOf('EndRequest'),
      responses: {
        200: answerOf('EndAnswer', 'It is no more, or never was.', {}),
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
    ...answerOf('OAuthError', 'What is wrong, by the codes of OAuth 2.', {
      error: 'invalid_client',
      error_description: message,
      message,
    }),
    headers: {
      'WWW-Authenticate': {
        description: 'Where the client was refused that HTTP Basic names.',
        schema: { type: 'string' },
      },
      'Retry-After': {
        description: 'With `slow_down`: when it is worth to ask again, in seconds.',
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
  client_id: text('The number of the client, where HTTP Basic does not name it.'),
  client_secret: text('Its secret; a public client has none.'),
};

/** The schemas of the operations, by name. */
export const oauthSchemas: JsonObject = {
  TokenRequest: {
    type: 'object',
    description: 'What a client shows for a token.',
    properties: {
      grant_type: { type: 'string', enum: [...grantTypes] },
      ...clientFields,
      username: text('With `password`: the number of the person (PID).'),
      password: { ...text('With `password`.'), format: 'password' },
      refresh_token: text('With `refresh_token`: works once, and gives the next.'),
      code: text('With `authorization_code`: works once, whatever comes of it.'),
      redirect_uri: text('With `authorization_code`: the one for which the code was issued.'),
      code_verifier: text(
        'With `authorization_code`: the text of which the challenge was the SHA-256 (PKCE).',
      ),
    },
    required: ['grant_type'],
  },
  TokenAnswer: {
    type: 'object',
    description: 'A token, and how long it lives.',
    properties: {
      access_token: text('Opaque.'),
      token_type: { type: 'string', const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Seconds.' },
      refresh_token: text('Where a person signed in.'),
      is_target_test_system: { type: 'boolean' },
    },
    required: ['access_token', 'token_type', 'expires_in', 'is_target_test_system'],
  },
  EndRequest: {
    type: 'object',
    description: 'The token to be ended.',
    properties: {
      token: text('An access token or a refresh token.'),
      token_type_hint: text('Is not needed.'),
      ...clientFields,
    },
  },
  EndAnswer: { type: 'object', description: 'Nothing is to be told.', properties: {} },
  OAuthError: {
    type: 'object',
    description: 'An error of OAuth 2 (RFC 6749, 5.2).',
    properties: {
      error: {
        type: 'string',
        enum: [...oauthErrorCodes],
        description:
          '`slow_down` (RFC 8628, 3.5) is for who has to wait: too many are signing in, or signing in as this person failed too often.',
      },
      error_description: text('What to do about it, for who wrote the client.'),
      message: text('The same.'),
    },
    required: ['error', 'error_description', 'message'],
  },
};

/** Authentication of clients, and the flows for a token. */
export function oauthSecuritySchemes(baseUrl: string): JsonObject {
  const tokenUrl = baseUrl + TOKEN_PATH;
  const withRefresh = { tokenUrl, refreshUrl: tokenUrl, scopes: {} };
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'The same access token, got by OAuth 2. There are no scopes: client and person have rights.',
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

/** Metadata that OAuth 2 libraries read (RFC 8414). Clients of any origin may read it. */
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
 * By the standard the path of the base URL follows /.well-known. A proxy that forwards only the base path does not
 * reach that, so the document is below the base URL too.
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
