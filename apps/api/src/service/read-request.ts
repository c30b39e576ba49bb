import { findLanguage, type Language, negotiateLanguage } from '@takt/error-catalogue';
import {
  type EarlyOptions,
  type Format,
  type ParsedQueryString,
  parseQueryString,
  type QueryParameter,
  readEarlyOptions,
} from '@takt/query-options';
import Negotiator from 'negotiator';
import type { ApiRequest } from '../http/answer.js';
import type { Company, WritingContext } from '../representations/page.js';

/** A request as far as it can be read without an error: enough to know who asks and to answer in the form asked for. */
export interface ReadRequest {
  readonly request: ApiRequest;
  readonly query: ParsedQueryString;
  readonly early: EarlyOptions;
  readonly format: Format;
  readonly language: Language;
}

const FORMATS_BY_TYPE: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'text/html': 'html',
  'application/xml': 'xml',
  'text/xml': 'xml',
};

/** `$format` beats Accept; what neither says, or nobody offers, is JSON. Pages for people follow Accept-Language. */
export function readRequest(request: ApiRequest): ReadRequest {
  const query = parseQueryString(request.queryText);
  const early = readEarlyOptions(query.parameters);
  const format = early.format ?? acceptedFormat(request);
  const language =
    early.language === undefined && format === 'html'
      ? negotiateLanguage(request.headers['accept-language'])
      : findLanguage(early.language);
  return { request, query, early, format, language };
}

function acceptedFormat(request: ApiRequest): Format {
  const accept = request.headers.accept;
  if (accept === undefined) return 'json';
  const type = new Negotiator({ headers: { accept } }).mediaType(Object.keys(FORMATS_BY_TYPE));
  return FORMATS_BY_TYPE[type ?? ''] ?? 'json';
}

export interface Surroundings {
  readonly baseUrl: string;
  /** undefined before identity is known. */
  readonly company?: Company;
  readonly companies?: readonly Company[];
}

/** What a writer is told of a request. */
export function writingContextOf(read: ReadRequest, around: Surroundings): WritingContext {
  const { request, query, language } = read;
  return {
    language,
    requestId: request.id,
    baseUrl: around.baseUrl,
    linkSuffix: linkSuffixOf(read, { withCompany: true }),
    path: request.path,
    parameters: query.parameters,
    company: around.company,
    companies: around.companies ?? [],
  };
}

/** What links in the data go on with: the format and the company, where the request named ones that there are. */
export function linkSuffixOf(
  { early }: ReadRequest,
  { withCompany }: { readonly withCompany: boolean },
): string {
  const { format, database } = early;
  return queryTextOf([
    ...(format === undefined ? [] : [{ name: '$format', value: format }]),
    ...(database === undefined || !withCompany ? [] : [{ name: '$db', value: database }]),
  ]);
}

/** `?name=value&...`, empty without parameters. The $ of a name stays as it is: people read addresses. */
export function queryTextOf(parameters: readonly QueryParameter[]): string {
  if (parameters.length === 0) return '';
  const encode = encodeURIComponent;
  return `?${parameters
    .map(({ name, value }) => `${encode(name).replace(/^%24/, '$')}=${encode(value)}`)
    .join('&')}`;
}
