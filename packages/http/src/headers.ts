import type { Headers, HttpMiddleware } from './http-request.js';

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
