import type { QueryParameter } from '@takt/query-options';
import type { Company, Visitor, WritingContext } from '../representations/page.js';
import type { ReadRequest } from './read-request.js';

/** Who asks, as far as that is known. */
export interface Caller {
  readonly company?: Company | undefined;
  readonly companies?: readonly Company[];
  readonly mayRead?: WritingContext['mayRead'];
  readonly visitor?: Visitor;
}

/** Where nobody is known everything is offered: whoever may not read it is told so there. */
const OFFER_ALL = () => true;

const TOKEN_PARAMETERS = ['$access_token', '$accesstoken'];

/**
 * What a writer is told of a request. Links in the data go on with the format and the company, where the request named
 * ones that there are; without `linksKeepCompany` with the format alone.
 */
export function writingContextOf(
  read: ReadRequest,
  baseUrl: string,
  { company, companies = [], mayRead = OFFER_ALL, visitor = { kind: 'unknown' } }: Caller = {},
  linksKeepCompany = true,
): WritingContext {
  const { request, query, language, early } = read;
  const { format, database } = early;
  const kept = [
    ...(format === undefined ? [] : [{ name: '$format', value: format }]),
    ...(database === undefined || !linksKeepCompany ? [] : [{ name: '$db', value: database }]),
  ];
  return {
    language,
    requestId: request.id,
    readAt: new Date(),
    baseUrl,
    linkSuffix: queryTextOf(kept),
    path: request.path,
    // No link of a page goes on with a token: who follows it has a session, or brings the token along again.
    parameters: query.parameters.filter(({ name }) => !TOKEN_PARAMETERS.includes(name.toLowerCase())),
    company,
    companies,
    mayRead,
    visitor,
  };
}

const OF_ANOTHER_PAGE = ['$pagekey', '$skip', ...TOKEN_PARAMETERS];

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
    const lower = name.toLowerCase();
    return (lower.startsWith('$') || names.includes(lower)) && !OF_ANOTHER_PAGE.includes(lower);
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
