import { ServiceError } from '@takt/error-catalogue';
import type { HttpMiddleware } from '../http-context.js';

const WHOLE_SERVER = '*';

/** What no route took: the path does not exist, or has no such method. `OPTIONS *` asks whether the server lives. */
export function notFound(): HttpMiddleware {
  return (ctx) => {
    const { path } = ctx.state.request;
    // Nobody sees the body that HEAD's headers describe, but its length is to be that of GET's.
    const verb = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    if (ctx.method !== 'OPTIONS' || path !== WHOLE_SERVER) {
      throw new ServiceError('resourceNotFound', { verb, path });
    }
    ctx.set('Allow', 'GET, HEAD, OPTIONS');
    ctx.status = 204;
  };
}
