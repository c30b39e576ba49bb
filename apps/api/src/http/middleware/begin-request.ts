import type { HttpMiddleware } from '../http-context.js';
import { chooseRequestId } from '../request-id.js';
import { pathBelow, readRequestTarget } from '../request-target.js';

/** Writes down what is known of the request, for everything that comes after. */
export function beginRequest(basePath: string): HttpMiddleware {
  return (ctx, next) => {
    const { path: fullPath, queryText } = readRequestTarget(ctx.req.url ?? '');
    const path = pathBelow(basePath, fullPath);
    const id = chooseRequestId(ctx.req.headers['x-request-id']);
    ctx.state = {
      request: { path: path ?? fullPath, queryText, headers: ctx.req.headers, id, pathParameters: {} },
      fullPath,
      isBelowBase: path !== undefined,
      route: '',
    };
    ctx.set('X-Request-Id', id);
    return next();
  };
}
