import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from '@koa/cors';
import Koa, { type Middleware } from 'koa';
import helmet from 'koa-helmet';

/**
 * What a page may load and where its forms may lead, as the Content-Security-Policy says it.
 * @param htmlStyleHash of the style element of the HTML pages, as `sha256-...`
 * @param formTargets sources beside the service itself: browsers hold a redirect after a form against them too
 */
export function contentSecurityPolicy(
  htmlStyleHash: string | undefined,
  formTargets: readonly string[] = [],
): string {
  return Object.entries(policyOf(htmlStyleHash, formTargets))
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join(';');
}

function policyOf(htmlStyleHash: string | undefined, formTargets: readonly string[]) {
  return {
    'default-src': ["'none'"],
    'style-src': [htmlStyleHash === undefined ? "'none'" : `'${htmlStyleHash}'`],
    'img-src': ["'self'", 'data:'],
    'form-action': ["'self'", ...formTargets],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}

/**
 * Headers that keep a browser from doing anything with an answer but show it.
 * @param htmlStyleHash of the style element of the HTML pages, as `sha256-...`
 */
function createSecurityHeaders(htmlStyleHash: string | undefined): Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: policyOf(htmlStyleHash, []),
    },
    // The API itself speaks plain HTTP: whether a name is HTTPS for ever is up to the proxy in front of it.
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    // Scripts of any origin may read answers (see below), for which they need a token anyway.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
}

/** What a script may send: all that means something here, and what libraries for OData and for traces add of themselves. */
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

/** What a script may read besides what every script may. */
const ANSWER_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Resource-Id',
  'Resource-Version',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

const PREFLIGHT_LIFETIME_S = 86_400;

/** CORS: scripts of any origin may read, with a token but without cookies. Answers preflight requests itself. */
function createCrossOrigin(): Middleware {
  return cors({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'OPTIONS'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_LIFETIME_S,
    keepHeadersOnError: false,
  });
}

/** By their names as they are written. */
export type Headers = Readonly<Record<string, string>>;

/** The headers of every answer. */
export interface CommonHeaders {
  /** For answers that are written without Koa, and for errors, whose answer begins anew. */
  readonly fixed: Headers;
  readonly give: Middleware;
}

/**
 * Those of an API, which scripts of any origin may ask. They are the same for all but OPTIONS, so the middlewares are asked
 * once: asked each time, they cost a tenth of a small answer.
 * @param htmlStyleHash of the style element of the HTML pages, as `sha256-...`
 */
export async function createApiHeaders(htmlStyleHash: string | undefined): Promise<CommonHeaders> {
  const [security, crossOrigin] = [createSecurityHeaders(htmlStyleHash), createCrossOrigin()];
  const { fixed, give } = createOwnHeaders(await collectFixedHeaders([security, crossOrigin]));
  return {
    fixed,
    give: (ctx, next) =>
      ctx.req.method === 'OPTIONS' ? security(ctx, () => crossOrigin(ctx, next)) : give(ctx, next),
  };
}

/** Those that an app states itself. */
export function createOwnHeaders(fixed: Headers): CommonHeaders {
  const all = Object.entries(fixed);
  return {
    fixed,
    give: (ctx, next) => {
      for (const [name, value] of all) ctx.res.setHeader(name, value);
      return next();
    },
  };
}

/** The headers that these middlewares give to an answer of any request. */
async function collectFixedHeaders(middlewares: readonly Middleware[]): Promise<Headers> {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = '/';
  const response = new ServerResponse(request);
  const given: Record<string, string> = {};
  // Only here can be seen how a name is written: what the answer gives back is in lower case.
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    given[name] = String(value);
    return setHeader(name, value);
  };
  const context = new Koa({ env: 'production' }).createContext(request, response);
  for (const middleware of middlewares) await middleware(context, async () => undefined);
  return given;
}
