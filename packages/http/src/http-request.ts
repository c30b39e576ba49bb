import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@takt/catalogue/errors';
import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiRequest } from './answer.js';
import { MAX_HEADERS } from './limits.js';

/**
 * The encodings of answers. deflate is not among them because browsers disagree about it, and zstd is not because not
 * all supported versions of Node.js have it.
 */
export type Encoding = 'br' | 'gzip' | 'identity';

/** The state of a request, which the first middleware sets. */
export interface RequestState {
  readonly request: ApiRequest;
  /** Path of the request including the base path, which `request.path` does not include. */
  readonly fullPath: string;
  /** False if the base URL has a path and the path of the request is outside of it. */
  readonly isBelowBase: boolean;
  /** Template of the matching route, for metrics; empty if no route matches. */
  route: string;
  /** Returns the body in an encoding. Only set for public documents, which are kept. */
  shared: ((encoding: Encoding) => Promise<Buffer>) | undefined;
  /** Time from which the deadline of the answer counts, in the time of performance.now(). */
  sinceMs: number;
  /** True while the client waits for `100 Continue` before it sends its body. */
  awaitsContinue: boolean;
  /** True if the request was refused because too many requests came at once. */
  isRefused: boolean;
}

/** Header values by the usual spelling of the header names. */
export type Headers = Readonly<Record<string, string>>;

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;

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
      sinceMs: performance.now(),
      awaitsContinue: headers.expect !== undefined && ctx.req.httpVersion === '1.1',
      isRefused: false,
    };
    ctx.set('X-Request-Id', id);
    return next();
  };
}

/** Matches a host and port. Names are not checked further, because nothing uses them. */
const HOST = /^[^\s/?#@\\,]*$/;

/**
 * Refuses requests without Host and with unknown expectations. Node.js would otherwise answer them in its own format.
 */
export function checkMessage(): HttpMiddleware {
  return (ctx, next) => {
    if (ctx.req.rawHeaders.length > 2 * MAX_HEADERS) {
      throw new ServiceError('tooManyHeaders', { limit: String(MAX_HEADERS) });
    }
    if (hasMalformedName(ctx.req)) throw new ServiceError('malformedRequest');
    const problem = hostError(ctx.req);
    if (problem !== undefined) throw problem;
    const { expect = '100-continue' } = ctx.req.headers;
    if (expect.toLowerCase() !== '100-continue') throw new ServiceError('malformedRequest');
    return next();
  };
}

/**
 * Returns true if a header's name contains a space, also at its end. Node.js refuses such a header since 20.19.2, and
 * before only if the name is that of a header that delimits the message (RFC 9112, section 5.1).
 */
function hasMalformedName({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.some((text, index) => index % 2 === 0 && text.includes(' '));
}

function hostError({ httpVersion, rawHeaders, headers }: IncomingMessage): ServiceError | undefined {
  if (httpVersion === '1.0' && headers.host === undefined) return undefined;
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (count !== 1 && httpVersion === '1.1') return new ServiceError('hostHeaders', { count: String(count) });
  return count === 1 && HOST.test(headers.host ?? '') ? undefined : new ServiceError('malformedRequest');
}

interface RequestTarget {
  /** The undecoded path, from the first slash on. */
  readonly path: string;
  /** The undecoded text after the first `?`. */
  readonly queryText: string;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Splits the target of a request. An absolute target (`GET http://host/path`) counts as a path on this server, as
 * HTTP/1.1 requires. Other targets, such as the `*` of `OPTIONS *`, stay as they are and match no route.
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

export interface BasePath {
  /** Path of the base URL, without a trailing slash. It is usually empty. */
  readonly basePath: string;
  /** True if a proxy may strip the base path. In that case, paths without the base path also count as below it. */
  readonly mayLackBasePath?: boolean;
}

/** Returns the part of the path below the base URL; undefined if the path is outside of the base URL. */
export function pathBelow({ basePath, mayLackBasePath = false }: BasePath, path: string): string | undefined {
  if (basePath === '') return path;
  if (path === basePath) return '/';
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  return mayLackBasePath ? path : undefined;
}

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;
/** Matches identifiers that start like an access token. A token in the wrong header would otherwise reach the log. */
const TOKEN = /^takt_/;

/** Returns the identifier that the client sent if it is safe in logs and headers, otherwise a new identifier. */
export function chooseRequestId(fromClient: unknown): string {
  return typeof fromClient === 'string' && WELL_FORMED.test(fromClient) && !TOKEN.test(fromClient)
    ? fromClient
    : randomUUID();
}

const OWN_TOKEN = /takt_[\w-]*/gi;
/**
 * Matches the name of a secret, with common misspellings, followed by a value. Ambiguous names must be followed by a
 * separator.
 */
const NAME =
  /(?:acc?ess?_?tok|token|bearer|authori[sz]ation(?!-server)|secret|pass?w|pwd)\w{0,12}\W|(?:code|verifier|state|assertion)\w{0,12}[=:]|basic[ +]/i;
const LONG_WORD = /[\w-]{40,}/g;

const SHOWN = '[redacted]';

/** Returns a text from a client with its tokens removed, so that it is safe to show. */
export function withoutTokens(text: string): string {
  return changeDecoded(text, (decoded) => decoded.replace(OWN_TOKEN, SHOWN));
}

/**
 * Returns a path that is safe to show and to log. A client that forgets the `?` or mistypes a name puts its token into
 * the path. So everything from the name of a secret on is removed, and any long word that looks random.
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

/** Applies a change to the decoded text. A text that the change leaves as it is keeps its encoding. */
function changeDecoded(text: string, change: (decoded: string) => string): string {
  const decoded = decode(text);
  const changed = change(decoded);
  return changed === decoded ? text : changed;
}

/** Decodes ASCII characters up to three times. Invalid sequences stay as they are. */
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
 * Returns the Content-Security-Policy, which lists the allowed sources of a page and the allowed targets of its forms.
 * @param formTargets allowed targets in addition to the service itself, because browsers also check redirects after a
 * form
 */
export function contentSecurityPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

/** Response headers that scripts may read in addition to the headers that browsers always allow. */
const ANSWER_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Resource-Id',
  'Resource-Version',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/**
 * Request headers that scripts may send: the headers that this service uses, and those that libraries for OData and
 * tracing add.
 */
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
 * Returns the headers of all answers of an API. With these headers, browsers may only show an answer and do nothing
 * else with it. Scripts of any origin may read answers, because answers need a token and no cookie.
 * Strict-Transport-Security is left to the proxy.
 */
export function apiHeaders(): Headers {
  return {
    'Content-Security-Policy': contentSecurityPolicy(),
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

/** Sets the headers of answers, and answers CORS preflight requests. */
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
