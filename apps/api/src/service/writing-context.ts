import type { AccessGrant, FindToken } from '@takt/access';
import type { ServiceError } from '@takt/catalogue/errors';
import { isOfPeriods, newestOf, type ResourceFamily, restrictFamily } from '@takt/catalogue/resources';
import { canonicalName, type QueryParameter } from '@takt/query';
import { mayRead, sessionTokenOf } from '../access/establish-identity.js';
import type { Company, Visitor, WritingContext } from '../representations/writer.js';
import type { ReadRequest } from './read-request.js';

/** The reader of an answer, as far as known. */
export interface Caller {
  readonly company?: Company | undefined;
  readonly companies?: readonly Company[];
  readonly shownTo?: WritingContext['shownTo'];
  readonly visitor?: Visitor;
}

/** Without a reader, all resources are offered with their public fields; authentication refuses access later. */
const SHOW_TO_ANYBODY = (family: ResourceFamily) => newestOf(restrictFamily(family, []));

/**
 * The data about a request that writers need. Links in the data keep the request's format and company if they are
 * valid; without `linksKeepCompany` they keep the format only.
 */
export function writingContextOf(
  read: ReadRequest,
  baseUrl: string,
  { company, companies = [], shownTo = SHOW_TO_ANYBODY, visitor = { kind: 'unknown' } }: Caller = {},
  linksKeepCompany = true,
): WritingContext {
  const { request, query, language, early } = read;
  const { format, database } = early;
  const remaining = [
    ...(format === undefined ? [] : [{ name: '$format', value: format }]),
    ...(database === undefined || !linksKeepCompany ? [] : [{ name: '$db', value: database }]),
    // Links on a page keep its period. Answers for programs link to objects, which have no period.
    ...(read.format === 'html' ? query.parameters.filter(({ name }) => isOfPeriods(name)) : []),
  ];
  return {
    language,
    requestId: request.id,
    readAt: new Date(),
    baseUrl,
    linkSuffix: queryTextOf(remaining),
    path: request.path,
    // Links never contain the token: the reader has a session, or sends the token again.
    parameters: query.parameters.filter(({ name }) => canonicalName(name) !== '$access_token'),
    company,
    companies,
    shownTo,
    visitor,
  };
}

const OF_ANOTHER_PAGE = ['$pageKey', '$skip', '$access_token'];

/**
 * Returns the addresses of other pages of the same list by their keys: the same parameters without the token, and with
 * another key.
 * @param own the list's own parameters
 */
export function pageAddressOf(
  address: string,
  parameters: readonly QueryParameter[],
  own: ReadonlyMap<string, string> = new Map(),
): (key: string) => string {
  const names = ['search', ...own.keys()].map((name) => name.toLowerCase());
  const remaining = parameters.filter(({ name }) => {
    const isOfList = name.startsWith('$') || names.includes(name.toLowerCase());
    return isOfList && !OF_ANOTHER_PAGE.includes(canonicalName(name));
  });
  const before = address + queryTextOf(remaining);
  const joint = remaining.length === 0 ? '?' : '&';
  return (key) => `${before}${joint}$pageKey=${key}`;
}

/**
 * Returns `?name=value&...`, or an empty text if there are no parameters. The $ of names is not encoded, for
 * readability.
 */
export function queryTextOf(parameters: readonly QueryParameter[]): string {
  if (parameters.length === 0) return '';
  const encode = encodeURIComponent;
  return `?${parameters
    .map(({ name, value }) => `${encode(name).replace(/^%24/, '$')}=${encode(value)}`)
    .join('&')}`;
}

type Known = Pick<AccessGrant, 'companies' | 'permissions' | 'duties' | 'pid' | 'personName'> &
  Pick<Caller, 'company'>;

/** The reader of a page after authentication. */
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

/** The reader of an error page, determined without a look-up. */
export function visitorOfError({ code }: ServiceError, { credentials }: ReadRequest): Visitor {
  const hasSession = sessionTokenOf(credentials) !== undefined;
  if (code !== 'invalidAccessToken') return { kind: hasSession ? 'with-session' : 'unknown' };
  if (hasSession) return { kind: 'session-ended' };
  const { authorization, accessToken } = credentials;
  return { kind: authorization === undefined && accessToken === undefined ? 'unknown' : 'token-refused' };
}

/** The reader of a public page. An expired session is not an error. */
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
