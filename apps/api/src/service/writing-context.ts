import type { AccessGrant, FindToken } from '@takt/access';
import type { ServiceError } from '@takt/catalogue/errors';
import { isOfPeriods, newestOf, type ResourceFamily, restrictFamily } from '@takt/catalogue/resources';
import { canonicalName, type QueryParameter } from '@takt/query';
import { mayRead, sessionTokenOf } from '../access/establish-identity.js';
import type { Company, Visitor, WritingContext } from '../representations/writer.js';
import type { ReadRequest } from './read-request.js';

/** Who asks, as far as that is known. */
export interface Caller {
  readonly company?: Company | undefined;
  readonly companies?: readonly Company[];
  readonly shownTo?: WritingContext['shownTo'];
  readonly visitor?: Visitor;
}

/** Where nobody is known every resource is offered, without what needs a duty: whoever may not read it is told so there. */
const SHOW_TO_ANYBODY = (family: ResourceFamily) => newestOf(restrictFamily(family, []));

/**
 * What a writer is told of a request. Links in the data go on with the format and the company, where the request named
 * ones that there are; without `linksKeepCompany` with the format alone.
 */
export function writingContextOf(
  read: ReadRequest,
  baseUrl: string,
  { company, companies = [], shownTo = SHOW_TO_ANYBODY, visitor = { kind: 'unknown' } }: Caller = {},
  linksKeepCompany = true,
): WritingContext {
  const { request, query, language, early } = read;
  const { format, database } = early;
  const kept = [
    ...(format === undefined ? [] : [{ name: '$format', value: format }]),
    ...(database === undefined || !linksKeepCompany ? [] : [{ name: '$db', value: database }]),
    // A page leads on within its period. Answers for programs name objects, which have no period.
    ...(read.format === 'html' ? query.parameters.filter(({ name }) => isOfPeriods(name)) : []),
  ];
  return {
    language,
    requestId: request.id,
    readAt: new Date(),
    baseUrl,
    linkSuffix: queryTextOf(kept),
    path: request.path,
    // No link of a page goes on with a token: who follows it has a session, or brings the token along again.
    parameters: query.parameters.filter(({ name }) => canonicalName(name) !== '$access_token'),
    company,
    companies,
    shownTo,
    visitor,
  };
}

const OF_ANOTHER_PAGE = ['$pageKey', '$skip', '$access_token'];

/**
 * The address of another page of the same list: the same parameters with another key, and never with the token.
 * @param own by the names of the parameters that the list takes of its own
 */
export function pageAddressOf(
  address: string,
  parameters: readonly QueryParameter[],
  own: ReadonlyMap<string, string> = new Map(),
): (key: string) => string {
  const names = ['search', ...own.keys()].map((name) => name.toLowerCase());
  const kept = parameters.filter(({ name }) => {
    const isOfList = name.startsWith('$') || names.includes(name.toLowerCase());
    return isOfList && !OF_ANOTHER_PAGE.includes(canonicalName(name));
  });
  const before = address + queryTextOf(kept);
  const joint = kept.length === 0 ? '?' : '&';
  return (key) => `${before}${joint}$pageKey=${key}`;
}

/** `?name=value&...`, empty without parameters. The $ of a name stays as it is: people read addresses. */
export function queryTextOf(parameters: readonly QueryParameter[]): string {
  if (parameters.length === 0) return '';
  const encode = encodeURIComponent;
  return `?${parameters
    .map(({ name, value }) => `${encode(name).replace(/^%24/, '$')}=${encode(value)}`)
    .join('&')}`;
}

type Known = Pick<AccessGrant, 'companies' | 'permissions' | 'duties' | 'pid' | 'personName'> &
  Pick<Caller, 'company'>;

/** What a page says of who is known. */
export function callerOf(known: Known, { credentials }: ReadRequest): Caller {
  const { companies, company, pid, personName } = known;
  return {
    companies,
    company,
    shownTo: (family) =>
      mayRead(known, newestOf(family)) ? newestOf(restrictFamily(family, known.duties)) : undefined,
    visitor:
      sessionTokenOf(credentials) === undefined
        ? { kind: 'unknown' }
        : { kind: 'signed-in', person: pid === null ? null : personName },
  };
}

/** What an error page says of who met it, without asking anybody. */
export function visitorOfError({ code }: ServiceError, { credentials }: ReadRequest): Visitor {
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
