import type { IncomingHttpHeaders } from 'node:http';
import type { HttpMiddleware } from '../http-context.js';

export interface EndConnectionOptions {
  readonly maxIgnoredBodyBytes: number;
  readonly isClosing: () => boolean;
}

/** Decides which answers are the last of their connection. */
export function endConnection({ maxIgnoredBodyBytes, isClosing }: EndConnectionOptions): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (isClosing() || hasCostlyBody(ctx.req.headers, maxIgnoredBodyBytes)) ctx.set('Connection', 'close');
  };
}

/**
 * No request needs a body. A small one of known length is read and thrown away by Node; otherwise the connection ends,
 * instead of reading who knows how much. `Expect: 100-continue` is never given its 100: the answer does not depend on
 * the body, and after it the client may or may not send one.
 */
function hasCostlyBody(headers: IncomingHttpHeaders, maxIgnoredBodyBytes: number): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding, expect } = headers;
  return encoding !== undefined || expect !== undefined || Number(length) > maxIgnoredBodyBytes;
}
