import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@takt/error-catalogue';
import type { HttpMiddleware } from '../http-context.js';

/** Host and port; what may stand in a name is not checked further, since nothing is made of it. */
const HOST = /^[^\s/?#@\\,]*$/;

/** Refuses what Node would otherwise answer in its own words: a Host that is missing, an expectation it cannot meet. */
export function checkMessage(): HttpMiddleware {
  return (ctx, next) => {
    if (!hasOneHost(ctx.req) || !isExpectationKnown(ctx.req)) throw new ServiceError('malformedRequest');
    return next();
  };
}

function hasOneHost({ httpVersion, rawHeaders, headers }: IncomingMessage): boolean {
  if (httpVersion === '1.0' && headers.host === undefined) return true;
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  return count === 1 && HOST.test(headers.host ?? '');
}

function isExpectationKnown({ headers: { expect } }: IncomingMessage): boolean {
  return expect === undefined || expect.toLowerCase() === '100-continue';
}
