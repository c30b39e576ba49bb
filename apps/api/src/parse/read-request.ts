import { readSession } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import {
  inRequestedPeriod,
  newestOf,
  type Resource,
  type ResourceFamily,
  versionFor,
} from '@takt/catalogue/resources';
import type { ApiRequest } from '@takt/http';
import { chosenLanguage } from '@takt/pages';
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
import { findLanguage, type Language } from '@takt/texts';
import Negotiator from 'negotiator';
import type { Credentials } from './establish-identity.js';

/**
 * A request that is parsed only as far as needed to authenticate the reader and to write an error. Errors in the
 * request are not reported yet.
 */
export interface ReadRequest {
  readonly request: ApiRequest;
  readonly query: ParsedQueryString;
  readonly early: EarlyOptions;
  readonly credentials: Credentials;
  /** The format of the document. If an export is requested, this is the format in which an error is written. */
  readonly format: Format;
  /** True if the request asks for the whole list as a file, by `$format` or by the Accept header. */
  readonly isExport: boolean;
  readonly acceptedExport: ExportFormat | undefined;
  readonly language: Language;
}

/**
 * The format for each media type. If a client prefers several types equally, for example by a wildcard, the first of
 * them in this table is used.
 */
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
 * Reads a request. `$format` takes precedence over the Accept header. If neither names a supported format, the format
 * is JSON. The language of pages is the one that was chosen in the browser, or that it prefers.
 * @param baseUrl base URL to which the browser's session belongs; if absent, sessions are ignored
 * @param kind the kind of the resource: only a list may be exported
 */
export function readRequest(
  request: ApiRequest,
  baseUrl?: string,
  kind: Resource['kind'] = 'detail',
): ReadRequest {
  const query = parseQueryString(request.queryText);
  const early = readEarlyOptions(query.parameters);
  const takesExports = kind === 'list' && !early.isExport;
  const requested = early.format ?? acceptedFormat(request, takesExports ? OF_LISTS : DOCUMENTS);
  const acceptedExport = isExportFormat(requested) ? requested : undefined;
  const format = isExportFormat(requested) ? acceptedFormat(request, DOCUMENTS) : requested;
  const isExport = early.isExport || acceptedExport !== undefined;
  const language =
    early.language === undefined && format === 'html'
      ? chosenLanguage(request.headers)
      : findLanguage(early.language);
  const credentials: Credentials = {
    authorization: request.headers.authorization,
    accessToken: early.accessToken,
    ...(baseUrl === undefined ? {} : { session: readSession(request.headers, baseUrl)?.token }),
    database: early.database,
  };
  return { request, query, early, credentials, format, isExport, acceptedExport, language };
}

/** Matches a parameter of a media type, such as charset or version, but not the weight `q`. */
const MEDIA_TYPE_PARAMETER = /;[ \t]*(?!q[ \t]*=)[^\s;,="]+[ \t]*(?:=[ \t]*(?:"(?:[^"\\]|\\.)*"|[^;,"]*))?/gi;

/**
 * The format that the Accept header prefers. JSON if none of the preferred formats is supported. Parameters of media
 * types are ignored, because no format has versions or profiles.
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

/**
 * Reads the options of a request and finds the requested version of the resource. Throws a QueryOptionError, or the
 * error unsupportedVersion.
 */
export function readOptions(
  family: ResourceFamily,
  { query: { parameters, problem }, acceptedExport }: Pick<ReadRequest, 'query' | 'acceptedExport'>,
): { readonly resource: Resource; readonly options: QueryOptions } {
  if (problem !== undefined) throw problem;
  const options = readQueryOptions(parameters, { ...acceptanceOf(newestOf(family)), acceptedExport });
  const resource = versionFor(family, { minimum: options.useMinimumVersion });
  if (resource !== undefined) return { resource: inRequestedPeriod(resource, options.own), options };
  throw new ServiceError('unsupportedVersion', {
    requested: String(options.useMinimumVersion),
    newest: String(newestOf(family).version),
  });
}

/**
 * Checks the parameters of a request for the index. The index accepts the same parameters as an object. Throws a
 * QueryOptionError.
 */
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
