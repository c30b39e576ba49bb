import type { IncomingHttpHeaders } from 'node:http';
import { type AccessGrant, bearerTokenOf, type FindToken, holds } from '@takt/access';
import { ServiceError } from '@takt/error-catalogue';
import type { ParsedQueryString } from '@takt/query-options';
import { accessTokenOf } from './read-parameters.js';

const PERMISSION = 'publish-events';

/**
 * Who publishes: what the token of the header, or else of the parameter, grants. Throws invalidAccessToken, the same
 * whatever is wrong with it, or permissionMissing, or databaseUnavailable where nobody can tell.
 */
export async function findPublisher(
  headers: IncomingHttpHeaders,
  query: ParsedQueryString,
  findToken: FindToken,
): Promise<AccessGrant> {
  const { authorization } = headers;
  const token = authorization === undefined ? accessTokenOf(query) : bearerTokenOf(authorization);
  const grant = token === undefined ? undefined : await findToken(token);
  if (grant === undefined) throw new ServiceError('invalidAccessToken', {});
  if (!holds(grant.permissions, PERMISSION)) {
    throw new ServiceError('permissionMissing', { permission: PERMISSION });
  }
  return grant;
}
