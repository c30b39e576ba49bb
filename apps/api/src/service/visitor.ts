import type { AccessGrant, FindToken } from '@takt/access';
import type { ServiceError } from '@takt/error-catalogue';
import { mayRead, sessionTokenOf } from '../access/establish-identity.js';
import type { Visitor } from '../representations/page.js';
import type { ReadRequest } from './read-request.js';
import type { Caller } from './writing-context.js';

type Known = Pick<AccessGrant, 'companies' | 'permissions' | 'duties' | 'pid' | 'personName'> &
  Pick<Caller, 'company'>;

/** What a page says of who is known. */
export function callerOf(known: Known, { credentials }: ReadRequest): Caller {
  const { companies, company, pid, personName } = known;
  return {
    companies,
    company,
    mayRead: (resource) => mayRead(known, resource),
    visitor:
      sessionTokenOf(credentials) === undefined
        ? { kind: 'unknown' }
        : { kind: 'signed-in', person: pid === null ? null : personName },
  };
}

/** What an error page says of who met it, without asking anybody. */
export function visitorOfFailure({ code }: ServiceError, { credentials }: ReadRequest): Visitor {
  const hasSession = sessionTokenOf(credentials) !== undefined;
  if (code !== 'invalidAccessToken') return { kind: hasSession ? 'with-session' : 'unknown' };
  if (hasSession) return { kind: 'session-ended' };
  const { authorization, accessToken } = credentials;
  return { kind: authorization === undefined && accessToken === undefined ? 'unknown' : 'token-refused' };
}

/** Who comes to a page that is for everybody: with a session that is over nobody is refused. */
export async function findCaller(read: ReadRequest, findToken: FindToken): Promise<Caller> {
  const { credentials } = read;
  const token = sessionTokenOf(credentials);
  if (token === undefined) return {};
  const grant = await findToken(token);
  if (grant === undefined) return { visitor: { kind: 'session-ended' } };
  const wanted = credentials.database?.toLowerCase();
  const company = grant.companies.find(({ code }) => code.toLowerCase() === wanted) ?? grant.companies[0];
  return callerOf({ ...grant, company }, read);
}
