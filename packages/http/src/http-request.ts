import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ServiceError } from '@takt/catalogue/errors';
import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiRequest } from './answer.js';
import { MAX_HEADERS } from './limits.js';

/** Browsers disagree about what deflate is; zstd is not in every Node.js that is supported. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Known of a request from the first middleware on. */
export interface RequestState {
  readonly request: ApiRequest;
  /** With the base path; `request.path` is without it. */
  readonly fullPath: string;
  /** False where the base URL has a path and the request is not below it. */
  readonly isBelowBase: boolean;
  /** The template of the route that answers, for metrics; empty while there is none. */
  route: string;
  /** Gives the body in an encoding, where it is the same for everybody and kept. */
  shared: ((encoding: Encoding) => Promise<Buffer>) | undefined;
  /** Bytes that a streamed body is made of, which stay in memory until it has been sent. */
  sourceBytes: number;
}

/** Headers by their names as they are written. */
export type Headers = Readonly<Record<string, string>>;

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;

/** Writes down what is known of the request, for everything that comes after. */
export function beginRequest(
  base: BasePath & { readonly addressOf: (request: IncomingMessage) => string },
): HttpMiddleware {
  return (ctx, next) => {
    const { path: fullPath, queryText } = readRequestTarget(ctx.req.url ?? '');
    const path = pathBelow(base, fullPath);
    const { headers } = ctx.req;
    const id = chooseRequestId(headers['x-request-id']);
    const address = base.addressOf(ctx.req);
    ctx.state = {
      request: { path: path ?? fullPath, queryText, headers, id, address, pathParameters: {} },
      fullPath,
      isBelowBase: path !== undefined,
      route: '',
      shared: undefined,
      sourceBytes: 0,
    };
    ctx.set('X-Request-Id', id);
    return next();
  };
}

/** Host and port; what may stand in a name is not checked further, since nothing is made of it. */
const HOST = /^[^\s/?#@\\,]*$/;

/** Refuses what Node would otherwise answer in its own words: a Host that is missing, an expectation it cannot meet. */
export function checkMessage(): HttpMiddleware {
  return (ctx, next) => {
    if (ctx.req.rawHeaders.length > 2 * MAX_HEADERS) {
      throw new ServiceError('tooManyHeaders', { limit: String(MAX_HEADERS) });
    }
    const problem = hostError(ctx.req);
    if (problem !== undefined) throw problem;
    const { expect = '100-continue' } = ctx.req.headers;
    if (expect.toLowerCase() !== '100-continue') throw new ServiceError('malformedRequest');
    return next();
  };
}

/** The error of a wrong Host. */
function hostError({ httpVersion, rawHeaders, headers }: IncomingMessage): ServiceError | undefined {
  if (httpVersion === '1.0' && headers.host === undefined) return undefined;
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (count !== 1 && httpVersion === '1.1') return new ServiceError('hostHeaders', { count: String(count) });
  return count === 1 && HOST.test(headers.host ?? '') ? undefined : new ServiceError('malformedRequest');
}

/**
 * Node reads and throws away a small body of known length that no route takes. For any other the connection ends, instead of
 * reading nobody knows how much. There `Expect: 100-continue` is never given its 100, as the answer does not depend on the
 * body; Node then ends the connection, since the client may send the body or not.
 */
export function hasCostlyBody(headers: IncomingHttpHeaders, maxIgnoredBodyBytes: number): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > maxIgnoredBodyBytes;
}

interface RequestTarget {
  /** As the client wrote it, from the first slash on. */
  readonly path: string;
  /** The text behind the first `?`. */
  readonly queryText: string;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Takes the target of a request apart. An absolute target (`GET http://host/path`) is a path on this server, as every
 * HTTP/1.1 server must take it. A target that is no path, as the `*` of `OPTIONS *`, is given as it is and matches no route.
 */
export function readRequestTarget(target: string): RequestTarget {
  const local = target.replace(ORIGIN, '');
  const queryAt = local.indexOf('?');
  const path = queryAt < 0 ? local : local.slice(0, queryAt);
  return {
    path: path === '' ? '/' : path,
    queryText: queryAt < 0 ? '' : local.slice(queryAt + 1),
  };
}

/** Path of the base URL. */
export interface BasePath {
  /** Without a slash at its end; mostly empty. */
  readonly basePath: string;
  /** A proxy may take the path of the base URL away: then what is not below it counts as below it too. */
  readonly mayLackBasePath?: boolean;
}

/** The path below the base URL; undefined where it is not below it. */
export function pathBelow({ basePath, mayLackBasePath = false }: BasePath, path: string): string | undefined {
  if (basePath === '') return path;
  if (path === basePath) return '/';
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  return mayLackBasePath ? path : undefined;
}

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;
/** An access token in the wrong header would otherwise be written to the log. */
const TOKEN = /^takt_/;

/** The client's own identifier where it is harmless in logs and headers, else a new one. */
export function chooseRequestId(fromClient: unknown): string {
  return typeof fromClient === 'string' && WELL_FORMED.test(fromClient) && !TOKEN.test(fromClient)
    ? fromClient
    : randomUUID();
}

/** A token as this service makes them. */
const OWN_TOKEN = /takt_[\w-]*/gi;
/** The name of a secret, however it is mistyped, with something after it. A name that may be another word needs a sign behind it. */
const NAME =
  /(?:acc?ess?_?tok|token|bearer|authori[sz]ation(?!-server)|secret|pass?w|pwd)\w{0,12}\W|(?:code|verifier|state|assertion)\w{0,12}[=:]|basic[ +]/i;
const LONG_WORD = /[\w-]{40,}/g;

const SHOWN = '[redacted]';

/** A text of a client that may be shown: a token that it holds is left out. */
export function withoutTokens(text: string): string {
  return changeDecoded(text, (decoded) => decoded.replace(OWN_TOKEN, SHOWN));
}

/**
 * A path that may be shown and logged. A client that forgets the `?`, or mistypes a name, puts its token into the path:
 * what follows such a name is left out, and any word that only chance makes so long.
 */
export function pathWithoutTokens(path: string): string {
  return changeDecoded(path, (decoded) => {
    const nameAt = decoded.search(NAME);
    const shown = nameAt < 0 ? decoded : `${decoded.slice(0, nameAt)}${SHOWN}`;
    return shown.replace(OWN_TOKEN, SHOWN).replace(LONG_WORD, (word) => (isRandom(word) ? SHOWN : word));
  });
}

function isRandom(word: string): boolean {
  return /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
}

/** Where nothing is changed, the text stays as it was encoded. */
function changeDecoded(text: string, change: (decoded: string) => string): string {
  const decoded = decode(text);
  const changed = change(decoded);
  return changed === decoded ? text : changed;
}

/** ASCII characters decoded, as often as they were encoded up to three times; what cannot be decoded stays. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round += 1) {
    decoded = decoded.replace(/%[0-7][0-9a-f]/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
  }
  return decoded;
}

/**
 * The Content-Security-Policy: where a page may load from, and where its forms may lead.
 * @param htmlStyleHash of the style element of the HTML pages, as `sha256-...`
 * @param formTargets sources beside the service itself: browsers hold a redirect after a form against them too
 */
export function contentSecurityPolicy(
  htmlStyleHash: string | undefined,
  formTargets: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    `style-src ${htmlStyleHash === undefined ? "'none'" : `'${htmlStyleHash}'`}`,
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

/** Headers that a script may read besides those that every script may. */
const ANSWER_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Resource-Id',
  'Resource-Version',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** Headers that a script may send: those that mean something here, and those that libraries for OData and for traces add. */
const REQUEST_HEADERS = [
  'Accept',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'OData-MaxVersion',
  'OData-Version',
  'traceparent',
  'tracestate',
  'X-Request-Id',
  'X-Requested-With',
];

const PREFLIGHT: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Max-Age': '86400',
  'Access-Control-Allow-Methods': 'GET,HEAD,OPTIONS',
  'Access-Control-Allow-Headers': REQUEST_HEADERS.join(','),
};

/**
 * The headers of every answer of an API. They keep a browser from doing anything with an answer but show it; without a
 * cookie, scripts of any origin may read it, for which they need a token. The proxy in front of it decides about
 * Strict-Transport-Security.
 */
export function apiHeaders(htmlStyleHash: string | undefined): Headers {
  return {
    'Content-Security-Policy': contentSecurityPolicy(htmlStyleHash),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Origin-Agent-Cluster': '?1',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Download-Options': 'noopen',
    'X-Frame-Options': 'DENY',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'X-XSS-Protection': '0',
    Vary: 'Origin',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': ANSWER_HEADERS.join(','),
  };
}

/** Gives every answer its headers. Those of CORS tell OPTIONS something else, and answer it where a browser asks first. */
export function giveHeaders(fixed: Headers): HttpMiddleware {
  const all = Object.entries(fixed);
  const isForScripts = fixed['Access-Control-Allow-Origin'] !== undefined;
  const withoutScripts = all.filter(([name]) => !name.startsWith('Access-Control-'));
  return (ctx, next) => {
    const isAsked = isForScripts && ctx.method === 'OPTIONS';
    for (const [name, value] of isAsked ? withoutScripts : all) ctx.res.setHeader(name, value);
    if (!isAsked || !ctx.get('Access-Control-Request-Method')) return next();
    ctx.set(PREFLIGHT);
    ctx.status = 204;
    return undefined;
  };
}
