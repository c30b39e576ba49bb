import { constants } from 'node:zlib';
import koaCompress from 'koa-compress';
import type { HttpMiddleware } from './http-request.js';

/** The lowest levels: three quarters of the gain for a tenth of the time. */
const LEVEL = 1;

/** Compresses with brotli or gzip where the client takes it. Streamed answers are flushed with every piece. */
export function compress(aboveBytes: number): HttpMiddleware {
  const compressBody = koaCompress({
    threshold: aboveBytes,
    gzip: (_type, size) => ({
      level: LEVEL,
      flush: size === undefined ? constants.Z_SYNC_FLUSH : constants.Z_NO_FLUSH,
    }),
    br: (_type, size) => ({
      params: { [constants.BROTLI_PARAM_QUALITY]: LEVEL },
      flush: size === undefined ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_PROCESS,
    }),
    // Browsers disagree about what deflate is; zstd is not in every Node.js that is supported.
    deflate: false,
    zstd: false,
  });
  return async (ctx, next) => {
    const { method } = ctx;
    await compressBody(ctx, async () => {
      await next();
      // koa-compress leaves HEAD alone, whose headers would then tell another length and encoding than GET's.
      if (method === 'HEAD') ctx.method = 'GET';
    });
    ctx.method = method;
  };
}

const ENTITY_TAG = /"[^"]*"/g;

/**
 * Answers 304 where the client has what it asks for. Not Koa's `ctx.fresh`: there If-Modified-Since overrules
 * If-None-Match, and `Cache-Control: no-cache`, which is meant for caches, switches both off.
 */
export function notModified(): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 200 || ctx.method === 'OPTIONS') return;
    const etag = ctx.response.get('ETag');
    if (!etag || !namesEntity(ctx.get('If-None-Match'), etag)) return;
    ctx.status = 304;
    ctx.body = null;
  };
}

/** Weak comparison: `W/` makes no difference. */
function namesEntity(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const tag = etag.replace(/^W\//, '');
  return ifNoneMatch.match(ENTITY_TAG)?.includes(tag) ?? false;
}
