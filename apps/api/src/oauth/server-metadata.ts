import type { StaticRoute } from '@takt/http';
import { grantTypes } from './token-endpoint.js';

export const AUTHORIZATION_PATH = '/oauth2';
export const TOKEN_PATH = '/oauth2/access_token';
export const LOGOUT_PATH = '/oauth2/logout';

const METADATA_PATH = '/.well-known/oauth-authorization-server';
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'];

/** What OAuth 2 libraries find the endpoints by (RFC 8414). Clients at other origins may read it, as everything. */
export function serverMetadata(baseUrl: string) {
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
