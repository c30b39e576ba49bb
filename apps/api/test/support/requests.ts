import type { AccessGrant, GrantedCompany } from '@takt/access';
import { type ApiAnswer, type ApiRequest, bodyOf, isPieces, type Route } from '@takt/http';
import { COMPANY, type TestApi } from './open-test-api.js';

/** Returns a request for the root path. The argument replaces some of its properties. */
export function requestOf(request: Partial<ApiRequest> = {}): ApiRequest {
  return {
    ...{ path: '/', queryText: '', headers: {}, id: 'request-1', address: '127.0.0.1', pathParameters: {} },
    ...request,
  };
}

/** Returns a company of the test API as a token grants it. */
export function companyOf({ keys }: Pick<TestApi, 'keys'>, companyId = COMPANY): GrantedCompany {
  const code = companyId === COMPANY ? 'TEM-NO' : 'OTHER';
  return { companyId, code, name: 'Tem', timeZone: 'UTC', timeUnit: 'h', key: keys.get(companyId) ?? '' };
}

/** Returns the grant of a token that has every right and expires in one hour. */
export function grantFor(
  companies: readonly GrantedCompany[],
  limited: Partial<AccessGrant> = {},
): AccessGrant {
  return {
    ...{ tokenId: 1, expiresAt: new Date(Date.now() + 3_600_000), companies, clientId: null, pid: null },
    ...{ personName: '', permissions: 'all', duties: 'all', ...limited },
  };
}

/** Returns the route with a path template. Throws if there is none. */
export function routeAt(routes: readonly Route[], path: string): Route {
  const route = routes.find((candidate) => candidate.path === path);
  if (route === undefined) throw new Error(`${path} is not served`);
  return route;
}

/** Returns the body of an answer. Throws if the answer is an export, which is streamed. */
export function wholeOf(answer: ApiAnswer): Buffer {
  const { body } = answer;
  if (isPieces(body)) throw new Error('this answer is an export');
  return bodyOf({ ...answer, body });
}
