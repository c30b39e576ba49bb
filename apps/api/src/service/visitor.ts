import type { FindToken } from '@takt/access';
import { ServiceError } from '@takt/error-catalogue';
import {
  type Credentials,
  establishIdentity,
  type Identity,
  isOfSession,
} from '../access/establish-identity.js';
import type { Visitor } from '../representations/page.js';
import type { ReadRequest } from './read-request.js';
import type { Caller } from './writing-context.js';

/** What a page says of who is known. */
export function callerOf(identity: Identity): Caller {
  const { pid, hasSession } = identity;
  return { ...identity, visitor: hasSession ? { kind: 'signed-in', pid } : { kind: 'unknown' } };
}

/** What an error page says of who met it, without asking anybody. */
export function visitorOfFailure(error: ServiceError, { credentials }: ReadRequest): Visitor {
  if (error.code === 'invalidAccessToken') return visitorRefused(credentials);
  return isOfSession(credentials) ? { kind: 'with-session' } : { kind: 'unknown' };
}

/** Who comes to a page that is for everybody: with a session that is over nobody is refused. */
export async function findCaller({ credentials }: ReadRequest, findToken: FindToken): Promise<Caller> {
  if (!isOfSession(credentials)) return {};
  try {
    const identity = await establishIdentity({ ...credentials, database: undefined }, 'nothing', findToken);
    const wanted = credentials.database?.toLowerCase();
    const company = identity.companies.find(({ code }) => code.toLowerCase() === wanted) ?? identity.company;
    return callerOf({ ...identity, company });
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'invalidAccessToken')) throw error;
    return { visitor: { kind: 'session-ended' } };
  }
}

function visitorRefused(credentials: Credentials): Visitor {
  if (isOfSession(credentials)) return { kind: 'session-ended' };
  const { authorization, accessToken } = credentials;
  return authorization === undefined && accessToken === undefined
    ? { kind: 'unknown' }
    : { kind: 'token-refused' };
}
