import Router from '@koa/router';
import type { HttpContext, HttpMiddleware, RequestState } from '../http-context.js';

/** One row of the route table. */
export interface RouteRow {
  /** As @koa/router takes it: `:name` stands for a path parameter. */
  readonly path: string;
  /** How metrics name the route. */
  readonly template: string;
  answer(ctx: HttpContext, pathParameters: Readonly<Record<string, string>>): void | Promise<void>;
}

const METHODS = 'GET, HEAD, OPTIONS';

/**
 * Routes GET and HEAD; says to OPTIONS what there is. Everything else, other methods too, goes on to the next middleware.
 * Paths are compared as they are: another case or a slash at the end is another path, so a document has one address.
 * @param below what the paths are relative to: the root of the server, or the path of the base URL
 */
export function createRouter(rows: readonly RouteRow[], below: 'root' | 'base'): HttpMiddleware {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const { path, template, answer } of rows) {
    router.get(path, (ctx) => {
      ctx.state.route = template;
      return answer(ctx, ctx.params);
    });
    router.options(path, (ctx) => {
      ctx.state.route = template;
      ctx.set('Allow', METHODS);
      ctx.status = 204;
    });
  }
  const route = router.routes();
  return (ctx, next) => {
    const { fullPath, isBelowBase, request } = ctx.state;
    if (below === 'base' && !isBelowBase) return next();
    // Else the router takes ctx.path, which leaves out what stands after a `#`.
    const path = below === 'root' ? fullPath : request.path;
    return route(Object.assign(ctx, { newRouterPath: path, router, params: {} }), next);
  };
}
