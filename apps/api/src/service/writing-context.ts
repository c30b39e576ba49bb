import type { QueryParameter } from '@takt/query-options';
import type { Company, Visitor, WritingContext } from '../representations/page.js';
import type { ReadRequest } from './read-request.js';

/** Who asks, as far as that is known. */
export interface Caller {
  readonly company?: Company | undefined;
  readonly companies?: readonly Company[];
  readonly visitor?: Visitor;
}

const TOKEN_PARAMETERS = ['$access_token', '$accesstoken'];

/**
 * What a writer is told of a request. Links in the data go on with the format and the company, where the request named
 * ones that there are; without `linksKeepCompany` with the format alone.
 */
export function writingContextOf(
  read: ReadRequest,
  baseUrl: string,
  { company, companies = [], visitor = { kind: 'unknown' } }: Caller = {},
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
    baseUrl,
    linkSuffix: queryTextOf(kept),
    path: request.path,
    // No link of a page goes on with a token: who follows it has a session, or brings the token along again.
    parameters: query.parameters.filter(({ name }) => !TOKEN_PARAMETERS.includes(name.toLowerCase())),
    company,
    companies,
    visitor,
  };
}

const OF_ANOTHER_PAGE = ['$pagekey', '$skip', ...TOKEN_PARAMETERS];

/** The address of another page of the same list: the same parameters with another key, and never with the token. */
export function pageAddressOf(
  address: string,
  parameters: readonly QueryParameter[],
): (key: string) => string {
  const kept = parameters.filter(
    ({ name }) => /^(\$|search$)/i.test(name) && !OF_ANOTHER_PAGE.includes(name.toLowerCase()),
  );
  const before = address + queryTextOf(kept);
  const joint = kept.length === 0 ? '?' : '&';
  return (key) => `${before}${joint}$pageKey=${key}`;
}

/** `?name=value&...`, empty without parameters. The $ of a name stays as it is: people read addresses. */
function queryTextOf(parameters: readonly QueryParameter[]): string {
  if (parameters.length === 0) return '';
  const encode = encodeURIComponent;
  return `?${parameters
    .map(({ name, value }) => `${encode(name).replace(/^%24/, '$')}=${encode(value)}`)
    .join('&')}`;
}
