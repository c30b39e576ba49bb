import type { ApiRequest } from '@takt/http';
import { parseQueryString, type QueryParameter } from '@takt/query';
import type { BatchFormat } from '../computed/batch-description.js';
import type { ReadRequest } from '../parse/read-request.js';
import { outerNames } from './read-batch.js';

export interface InnerRequest {
  readonly request: ApiRequest;
  /** True if the address contains a token. That is an error, because only the batch itself may have a token. */
  readonly hasToken: boolean;
  /** The `$format` in the address itself; undefined if it has none. */
  readonly format: string | undefined;
}

export interface Outer {
  readonly read: ReadRequest;
  readonly format: BatchFormat;
  /** Base URL of the service. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
}

const TOKENS: readonly string[] = ['$access_token', '$accesstoken'];

/**
 * Makes the request for an address of a batch. The address is absolute, or relative to the base URL with or without a
 * leading slash. `$lang` and `$db` in the address apply only if the batch does not set them. The identity and the
 * Accept header are those of the batch.
 */
export function innerRequestOf(uri: string, { read, format, baseUrl }: Outer): InnerRequest {
  const { path, queryText } = partsOf(uri, baseUrl);
  const outer = read.query.parameters.filter(({ name }) => isOuter(name));
  const dropped = ['$format', ...outer.map(({ name }) => name.toLowerCase())];
  const pieces = queryText.split('&').filter((piece) => piece !== '');
  const remaining = pieces.filter((piece) => !dropped.includes(nameOf(piece)));
  const named = pieces.find((piece) => nameOf(piece) === '$format');
  return {
    request: {
      path,
      queryText: [...remaining, ...outer.map(encode)].join('&'),
      headers: headersOf(read, format),
      id: read.request.id,
      address: read.request.address,
      pathParameters: {},
    },
    hasToken: pieces.some((piece) => TOKENS.includes(nameOf(piece))),
    format: named && parseQueryString(named).parameters[0]?.value,
  };
}

function partsOf(uri: string, baseUrl: string): { readonly path: string; readonly queryText: string } {
  const rest = uri.startsWith(baseUrl) ? uri.slice(baseUrl.length) : undefined;
  const below = rest !== undefined && /^([/?]|$)/.test(rest) ? rest : uri;
  const queryAt = below.indexOf('?');
  const path = queryAt < 0 ? below : below.slice(0, queryAt);
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    queryText: queryAt < 0 ? '' : below.slice(queryAt + 1),
  };
}

function isOuter(name: string): boolean {
  const lower = name.toLowerCase();
  return outerNames.some((outer) => outer === lower && !TOKENS.includes(outer));
}

/** The name of a parameter in lower case. The name is empty if it cannot be decoded. */
function nameOf(piece: string): string {
  return parseQueryString(piece).parameters[0]?.name.toLowerCase() ?? '';
}

function encode({ name, value }: QueryParameter): string {
  return `${encodeURIComponent(name).replace(/^%24/, '$')}=${encodeURIComponent(value)}`;
}

function headersOf({ request, credentials }: ReadRequest, format: BatchFormat): ApiRequest['headers'] {
  const { authorization, accessToken } = credentials;
  const { cookie } = request.headers;
  const shown = authorization ?? (accessToken === undefined ? undefined : `Bearer ${accessToken}`);
  return {
    accept: format === 'xml' ? 'application/xml' : 'application/json',
    ...(shown === undefined ? {} : { authorization: shown }),
    ...(cookie === undefined ? {} : { cookie }),
  };
}
