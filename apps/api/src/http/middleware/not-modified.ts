import type { HttpMiddleware } from '../http-context.js';

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
