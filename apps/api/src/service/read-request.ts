import { readSession } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import {
  inAskedPeriod,
  newestOf,
  type Resource,
  type ResourceFamily,
  versionFor,
} from '@takt/catalogue/resources';
import type { ApiRequest } from '@takt/http';
import {
  type Acceptance,
  type EarlyOptions,
  type ExportFormat,
  exportFormats,
  type Format,
  isExportFormat,
  type ParsedQueryString,
  parseQueryString,
  type QueryOptions,
  readEarlyOptions,
  readQueryOptions,
} from '@takt/query';
import { findLanguage, type Language, negotiateLanguage } from '@takt/texts';
import Negotiator from 'negotiator';
import type { Credentials } from '../access/establish-identity.js';

/** A request as far as it can be read without an error: enough to know who asks and to answer in the form asked for. */
export interface ReadRequest {
  readonly request: ApiRequest;
  readonly query: ParsedQueryString;
  readonly early: EarlyOptions;
  readonly credentials: Credentials;
  /** Of a document; that of an error too where an export is asked for. */
  readonly format: Format;
  /** Whether a whole list is asked for, by `$format` or by the Accept header. */
  readonly isExport: boolean;
  /** What the Accept header asks for then. */
  readonly acceptedExport: ExportFormat | undefined;
  readonly language: Language;
}

/** Of those that a client likes as well, as with a wildcard, the first one is meant. */
const FORMATS_BY_TYPE: Readonly<Record<string, Exclude<Format, 'jsonstream'> | ExportFormat>> = {
  'application/json': 'json',
  'text/html': 'html',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

const DOCUMENTS = ['json', 'html', 'xml'] as const;
const OF_LISTS = [...DOCUMENTS, ...exportFormats];

/**
 * `$format` beats Accept; what neither says, or nobody offers, is JSON. Pages for people follow Accept-Language.
 * @param baseUrl that the session of a browser belongs to; without it none is looked for
 * @param kind of what is asked for: a list may be an export
 */
export function readRequest(
  request: ApiRequest,
  baseUrl?: string,
  kind: Resource['kind'] = 'detail',
): ReadRequest {
  const query = parseQueryString(request.queryText);
  const early = readEarlyOptions(query.parameters);
  const takesExports = kind === 'list' && !early.isExport;
  const asked = early.format ?? acceptedFormat(request, takesExports ? OF_LISTS : DOCUMENTS);
  const acceptedExport = isExportFormat(asked) ? asked : undefined;
  const format = isExportFormat(asked) ? acceptedFormat(request, DOCUMENTS) : asked;
  const isExport = early.isExport || acceptedExport !== undefined;
  const language =
    early.language === undefined && format === 'html'
      ? negotiateLanguage(request.headers['accept-language'])
      : findLanguage(early.language);
  const credentials: Credentials = {
    authorization: request.headers.authorization,
    accessToken: early.accessToken,
    ...(baseUrl === undefined ? {} : { session: readSession(request.headers, baseUrl)?.token }),
    database: early.database,
  };
  return { request, query, early, credentials, format, isExport, acceptedExport, language };
}

/** A parameter of a media type, such as charset or version, but not its weight. */
const MEDIA_TYPE_PARAMETER = /;[ \t]*(?!q[ \t]*=)[^\s;,="]+[ \t]*(?:=[ \t]*(?:"(?:[^"\\]|\\.)*"|[^;,"]*))?/gi;

/**
 * What the Accept header prefers of the formats that there are; JSON where that is none. No format has versions or profiles,
 * so whatever parameter a client adds to its type, it means that type.
 */
export function acceptedFormat<Known extends Format | ExportFormat>(
  request: ApiRequest,
  formats: readonly Known[],
): Known | 'json' {
  const accept = request.headers.accept?.replace(MEDIA_TYPE_PARAMETER, '');
  if (accept === undefined) return 'json';
  const type = new Negotiator({ headers: { accept } }).mediaType(
    Object.keys(FORMATS_BY_TYPE).filter((name) => formats.some((format) => format === FORMATS_BY_TYPE[name])),
  );
  return formats.find((format) => format === FORMATS_BY_TYPE[type ?? '']) ?? 'json';
}

/** What is asked, and of which version. Throws a QueryOptionError, or unsupportedVersion. */
export function readOptions(
  family: ResourceFamily,
  { query: { parameters, problem }, acceptedExport }: Pick<ReadRequest, 'query' | 'acceptedExport'>,
): { readonly resource: Resource; readonly options: QueryOptions } {
  if (problem !== undefined) throw problem;
  const options = readQueryOptions(parameters, { ...acceptanceOf(newestOf(family)), acceptedExport });
  const resource = versionFor(family, { minimum: options.useMinimumVersion });
  if (resource !== undefined) return { resource: inAskedPeriod(resource, options.own), options };
  throw new ServiceError('unsupportedVersion', {
    requested: String(options.useMinimumVersion),
    newest: String(newestOf(family).version),
  });
}

/** The index of the service takes what every detail does. Throws a QueryOptionError. */
export function checkIndexParameters({ parameters, problem }: ParsedQueryString): void {
  if (problem !== undefined) throw problem;
  readQueryOptions(parameters, ONE_OBJECT);
}

const ONE_OBJECT: Acceptance = {
  kind: 'detail',
  takesSearch: false,
  defaultPageSize: 1,
  maximumPageSize: 1,
};

function acceptanceOf(resource: Resource): Acceptance {
  const own = resource.parameters ?? [];
  return resource.kind === 'list'
    ? {
        kind: resource.kind,
        own,
        takesSearch: resource.searched.length > 0,
        defaultPageSize: resource.defaultPageSize,
        maximumPageSize: resource.maximumPageSize,
      }
    : { ...ONE_OBJECT, own };
}
