import { ServiceError } from '@takt/error-catalogue';
import { BurstyRateLimiter, RateLimiterMemory } from 'rate-limiter-flexible';
import type { FindToken } from './create-token-cache.js';

const MINUTE_S = 60;
/** What Retry-After says of a spent budget: then there is some of it again. */
const SHARE_S = 3;

/**
 * `find`, of which each use counts as a request of its token; throws tokenBudgetSpent where those of a minute are spent.
 * They may come all at once. From then on, a twentieth of them is to be had every 3 s, so that nobody is kept waiting for
 * the rest of a minute. Of what is no valid token nothing is kept.
 * @param perMinute 0: as many as it likes
 */
export function limitRequests(find: FindToken, perMinute: number): FindToken {
  if (perMinute === 0) return find;
  const share = Math.max(1, Math.floor((perMinute * SHARE_S) / MINUTE_S));
  const budgets = new BurstyRateLimiter(
    new RateLimiterMemory({ points: share, duration: SHARE_S }),
    new RateLimiterMemory({ points: perMinute - share, duration: MINUTE_S }),
  );
  return async (token) => {
    const grant = await find(token);
    if (grant === undefined) return undefined;
    try {
      await budgets.consume(String(grant.tokenId));
    } catch {
      // The store is this process: nothing but a spent budget is refused.
      throw new ServiceError('tokenBudgetSpent', { limit: String(perMinute) });
    }
    return grant;
  };
}
