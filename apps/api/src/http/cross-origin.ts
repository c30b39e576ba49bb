import cors from '@koa/cors';
import type { Middleware } from 'koa';

const PREFLIGHT_LIFETIME_S = 86_400;

/** CORS: scripts of any origin may read, with a token but without cookies. Answers preflight requests itself. */
export function createCrossOrigin(): Middleware {
  return cors({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'OPTIONS'],
    allowHeaders: ['Authorization', 'If-None-Match', 'X-Request-Id'],
    exposeHeaders: ['X-Request-Id', 'ETag', 'Resource-Id', 'Resource-Version', 'Retry-After'],
    maxAge: PREFLIGHT_LIFETIME_S,
    keepHeadersOnError: false,
  });
}
