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

/** A leniently parsed request: enough to authenticate and to format an error. */
export interface ReadRequest {
  readonly request: ApiRequest;
  readonly query: ParsedQueryString;
  readonly early: EarlyOptions;
  readonly credentials: Credentials;
  /** Format of a document; also of an error if an export is requested. */
  readonly format: Format;
  /** True if the whole list is requested, by `$format` or the Accept header. */
  readonly isExport: boolean;
  readonly acceptedExport: ExportFormat | undefined;
  readonly language: Language;
}

/** The first one wins among equally preferred types, as with a wildcard. */
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
 * `$format` overrides Accept; without a supported format it is JSON. Pages use Accept-Language.
 * @param baseUrl of the browser's session; without it sessions are ignored
 * @param kind a list may be exported
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
 * The format that the Accept header prefers; JSON if none is supported. Parameters of types are ignored, because no
 * format has versions or profiles.
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

/** The options and version of a request. Throws a QueryOptionError, or unsupportedVersion. */
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

/** The index accepts the parameters of a detail. Throws a QueryOptionError. */
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
