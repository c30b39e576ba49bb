import { ServiceError } from '@takt/catalogue/errors';
import { ConcurrencyLimiter } from '@takt/run';
import type { ApiRequest } from './answer.js';
import type { HttpLimits } from './limits.js';

export type PlaceLimits = Pick<HttpLimits, 'maxRunning' | 'maxInFlight' | 'maxWaitMs'>;

/** Runs the work for a request when it has a place. Throws overloaded if it gets none in time. */
export type RunInPlace = <Result>(
  request: ApiRequest,
  untilMs: number,
  work: () => Promise<Result>,
) => Promise<Result>;

/** The share of running and of waiting places that one client may use, so that others always find free places. */
const SHARE = 3 / 4;

/**
 * Opens the places for requests: some run, and some wait. A client is a token, whichever addresses it comes from, or
 * otherwise an address. Clients take turns.
 */
export function openPlaces({ maxRunning, maxInFlight, maxWaitMs }: PlaceLimits): RunInPlace {
  const capacity = Math.min(maxRunning, maxInFlight);
  const maxWaiting = maxInFlight - capacity;
  const limiter = new ConcurrencyLimiter({
    capacity,
    maxWaiting,
    maxWaitMs,
    shares: { client: Math.ceil(capacity * SHARE) },
    waitingShares: { client: Math.floor(maxWaiting * SHARE) },
  });
  return async (request, untilMs, work) => {
    const leave = await limiter.enter({ owners: { client: clientOf(request) }, untilMs });
    if (typeof leave === 'string') throw new ServiceError('overloaded');
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

const TOKEN = /(?:^|&)(?:\$|%24)access_?token=([^&]+)/i;

/** Returns who sends a request: the token that it states, which nobody has checked yet, or otherwise the address. */
export function clientOf({ headers, queryText, address }: ApiRequest): string {
  return headers.authorization ?? TOKEN.exec(queryText)?.[1] ?? address;
}
