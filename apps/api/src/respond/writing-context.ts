import type { AccessGrant, FindToken } from '@takt/access';
import type { ServiceError } from '@takt/catalogue/errors';
import {
  hasParameter,
  isOfPeriods,
  newestOf,
  type ResourceFamily,
  restrictFamily,
} from '@takt/catalogue/resources';
import { mayRead } from '@takt/catalogue/rights';
import { timeUnitChoice } from '@takt/pages';
import { canonicalName, type QueryParameter } from '@takt/query';
import type { TimeUnit } from '@takt/texts';
import { UNIT } from '../pages/index.js';
import { sessionTokenOf } from '../parse/establish-identity.js';
import type { ReadRequest } from '../parse/read-request.js';
import type { Company, Visitor, WritingContext } from '../representations/writer.js';

/** The reader of an answer, as far as the reader is known. */
export interface Caller {
  readonly company?: Company | undefined;
  readonly companies?: readonly Company[];
  readonly shownTo?: WritingContext['shownTo'];
  readonly visitor?: Visitor;
}

/**
 * Shows all resources with their public fields to an unknown reader. If the reader requests such a resource, the
 * authentication still refuses access.
 */
const SHOW_TO_ANYBODY = (family: ResourceFamily) => newestOf(restrictFamily(family, []));

/**
 * The data about a request that writers need. Links in the answer keep the format and the company of the request if
 * these are valid. With `linksKeepCompany` false, links keep only the format.
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
  ];
  // Links on a page keep the page's period. Answers for programs link to objects as they are without a period.
  const periods = read.format === 'html' ? query.parameters.filter(({ name }) => isOfPeriods(name)) : [];
  return {
    language,
    timeUnit: requestedUnit(read) ?? timeUnitChoice.chosenIn(request.headers) ?? company?.timeUnit ?? 'h',
    requestId: request.id,
    readAt: new Date(),
    baseUrl,
    linkSuffix: (path) =>
      queryTextOf([...remaining, ...periods.filter(({ name }) => hasParameter(path, name))]),
    path: request.path,
    pathParameters: request.pathParameters,
    // Links never contain the token of the request: a person has a session, and a program sends the token again.
    parameters: query.parameters.filter(({ name }) => canonicalName(name) !== '$access_token'),
    company,
    companies,
    shownTo,
    visitor,
  };
}

/** The unit of times that the address of a page names; undefined if it names none. */
export function requestedUnit({ query }: Pick<ReadRequest, 'query'>): TimeUnit | undefined {
  return timeUnitChoice.read(query.parameters.find(({ name }) => name.toLowerCase() === UNIT)?.value);
}

const OF_ANOTHER_PAGE = ['$pageKey', '$skip', '$access_token'];

/**
 * Returns a function that makes the address of another page of the same list, given the page's key. The address has the
 * same parameters as the request, but not the token, and another page key.
 * @param own the resource's own parameters and their values
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
 * Returns `?name=value&...`, or an empty text if there are no parameters. The dollar sign in names is not encoded, so
 * that addresses stay readable.
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

/** The reader of a page, known after authentication. */
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
        : { kind: 'signed-in', person: pid === null ? null : personName, duties: known.duties },
  };
}

/** The reader of an error page, as far as this is known without looking up the token. */
export function visitorOfError({ code }: ServiceError, { credentials }: ReadRequest): Visitor {
  const hasSession = sessionTokenOf(credentials) !== undefined;
  if (code !== 'invalidAccessToken') return { kind: hasSession ? 'with-session' : 'unknown' };
  if (hasSession) return { kind: 'session-ended' };
  const { authorization, accessToken } = credentials;
  return { kind: authorization === undefined && accessToken === undefined ? 'unknown' : 'token-refused' };
}

/** Finds the reader of a public page. It is not an error if the reader's session has expired. */
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
