import { ServiceError } from '@takt/error-catalogue';
import type { HttpMiddleware } from '../http-context.js';

/** Refuses what comes after the server began to close; what was running before ends as usual. */
export function refuseWhileClosing(isClosing: () => boolean): HttpMiddleware {
  return (_ctx, next) => {
    if (isClosing()) throw new ServiceError('shuttingDown');
    return next();
  };
}
