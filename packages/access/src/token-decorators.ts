// This file contains functions that extend the look-up of tokens: by a cache, by recording the time of the last use,
// and by a limit on requests.
import { ServiceError } from '@takt/catalogue/errors';
import type { Database } from '@takt/database';
import { type Closeable, createWriteBuffer, type Logger } from '@takt/run';
import { LRUCache } from 'lru-cache';
import { BurstyRateLimiter, RateLimiterMemory } from 'rate-limiter-flexible';
import type { AccessGrant } from './find-access-token.js';
import { noteTokenUse } from './grants.js';
import { hashToken, isWellFormedToken } from './secrets.js';

export type FindToken = (token: string) => Promise<AccessGrant | undefined>;

export interface TokenCacheOptions {
  /** Returns the present time, in milliseconds since 1970. */
  readonly now?: () => number;
  /**
   * The maximum age in milliseconds at which a cached grant is used. A revocation takes effect after this time plus the
   * time of one look-up at the latest.
   */
  readonly maxAgeMs?: number;
  /** The maximum number of cached grants. If there are more, the least recently used grant is dropped. */
  readonly maxEntries?: number;
}

interface Remembered {
  /** The time at which the look-up started. The grant was valid then; it may have been revoked later. */
  readonly askedAt: number;
  readonly grant: AccessGrant;
}

interface Asking {
  readonly askedAt: number;
  readonly answer: Promise<AccessGrant | undefined>;
}

/**
 * Returns `find` with a cache. The cache keeps a grant for `maxAgeMs` (3 s), but never after the token has expired. It
 * keeps the grants of at most `maxEntries` (10,000) tokens. Simultaneous calls for the same token share one look-up.
 * Unknown tokens and failures are not cached. So a new token works at once, and strangers who try many tokens cannot
 * drive the grants of others out of the cache. The keys of the cache are SHA-256 hashes, so the cache contains no
 * tokens.
 */
export function createTokenCache(find: FindToken, options: TokenCacheOptions = {}): FindToken {
  const { now = Date.now, maxAgeMs = 3_000, maxEntries = 10_000 } = options;
  const remembered = new LRUCache<string, Remembered>({ max: maxEntries });
  const asking = new Map<string, Asking>();

  /**
   * True if a look-up is recent enough. A look-up that seems to be in the future is not recent; this can happen after
   * the clock was set back.
   */
  const isFresh = (askedAt: number, at: number) => askedAt <= at && at - askedAt < maxAgeMs;

  const ask = async (key: string, token: string, askedAt: number) => {
    const grant = await find(token);
    if (grant === undefined) {
      remembered.delete(key);
    } else {
      remembered.set(key, { askedAt, grant });
    }
    return grant;
  };

  return async (token) => {
    if (!isWellFormedToken(token)) return undefined;
    const key = hashToken(token).toString('base64');
    const at = now();
    const known = remembered.get(key);
    if (known !== undefined && isFresh(known.askedAt, at) && at < known.grant.expiresAt.getTime()) {
      return known.grant;
    }
    const underWay = asking.get(key);
    // A look-up that takes long may have read the token before a revocation. So a new look-up is started instead of
    // sharing it.
    if (underWay !== undefined && isFresh(underWay.askedAt, at)) return underWay.answer;
    const own: Asking = { askedAt: at, answer: ask(key, token, at) };
    asking.set(key, own);
    try {
      return await own.answer;
    } finally {
      if (asking.get(key) === own) asking.delete(key);
    }
  };
}

interface TokenUseOptions {
  /** Receives the SHA-256 of the tokens that were used since the previous call. */
  readonly note: (tokenSha256s: readonly Buffer[]) => Promise<void>;
  /** The time in milliseconds between two calls of `note`. Nothing depends on the exact time of the last use. */
  readonly everyMs?: number;
  /** Receives the errors of `note`. After an error, a later call of `note` receives the same tokens again. */
  readonly onError: (error: unknown) => void;
}

/** The maximum number of tokens whose uses are remembered. It limits the memory while the database is down. */
const MAX_TOKENS = 10_000;

/**
 * Returns `find`, extended to record the use of tokens. Uses are recorded up to 30 s later, in one statement for all
 * tokens, because a write for each request would cost too much. `close` records the remaining uses.
 */
export function trackTokenUse(
  find: FindToken,
  { note, everyMs = 30_000, onError }: TokenUseOptions,
): { readonly findToken: FindToken; close(): Promise<void> } {
  const uses = createWriteBuffer<number, Buffer>({ write: note, everyMs, maxEntries: MAX_TOKENS, onError });
  return {
    findToken: async (token) => {
      const grant = await find(token);
      if (grant !== undefined) uses.add(grant.tokenId, () => hashToken(token));
      return grant;
    },
    close: uses.close,
  };
}

const MINUTE_S = 60;
/**
 * The interval in seconds at which a part of a used-up limit becomes available again. It is also the value of
 * Retry-After.
 */
const SHARE_S = 3;

/**
 * Returns `find`, extended to count each look-up as a request of the token. Throws tokenBudgetSpent if the token has
 * used up its limit per minute. A token may use its whole limit at once. After that, a twentieth of the limit becomes
 * available every 3 s, so that nobody has to wait for the rest of the minute. Invalid tokens are not counted.
 * @param perMinute the number of requests per minute; 0 for no limit
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
      // The counters are in memory and cannot fail, so the only possible error is that the limit is used up.
      throw new ServiceError('tokenBudgetSpent', { limit: String(perMinute) });
    }
    return grant;
  };
}

/** The two ways in which an app looks up tokens. */
export interface Tokens extends Closeable {
  /** Looks up a token with a cache; see createTokenCache. */
  readonly peekToken: FindToken;
  /** Looks up a token like `peekToken`, but also counts a request and records that the token was used. */
  readonly findToken: FindToken;
}

interface TokensOptions {
  /** The database in which the times of the last uses are stored. */
  readonly pool: Database['pool'];
  /** The maximum number of requests per minute with one token; 0 or undefined for no limit. */
  readonly requestsPerMinute?: number | undefined;
  readonly logger: Logger;
}

/**
 * Returns `find`, extended by a cache, a limit on requests, and recording of uses. `close` records the remaining uses.
 */
export function openTokens(find: FindToken, { pool, requestsPerMinute = 0, logger }: TokensOptions): Tokens {
  const peekToken = createTokenCache(find);
  const uses = trackTokenUse(limitRequests(peekToken, requestsPerMinute), {
    note: (tokenSha256s) => noteTokenUse(pool, tokenSha256s),
    onError: (error) => logger.warn({ error: String(error) }, 'the last use of tokens was not noted'),
  });
  return { peekToken, ...uses };
}
