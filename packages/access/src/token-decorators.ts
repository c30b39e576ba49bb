// Decorators of the token look-up, which add a cache, the time of the last use, and a request limit.
import { ServiceError } from '@takt/catalogue/errors';
import type { Database } from '@takt/database';
import type { Closeable, Logger } from '@takt/run';
import { LRUCache } from 'lru-cache';
import { BurstyRateLimiter, RateLimiterMemory } from 'rate-limiter-flexible';
import type { AccessGrant } from './find-access-token.js';
import { noteTokenUse } from './grants.js';
import { hashToken, isWellFormedToken } from './secrets.js';

export type FindToken = (token: string) => Promise<AccessGrant | undefined>;

export interface TokenCacheOptions {
  /** The present time in milliseconds since 1970. */
  readonly now?: () => number;
  /** Maximum age of a cached grant. A revocation takes effect at the latest after this time plus one look-up. */
  readonly maxAgeMs?: number;
  /** Maximum number of cached grants; beyond it, the least recently used is dropped. */
  readonly maxEntries?: number;
}

interface Remembered {
  /** Start of the look-up. At that time the grant was valid; later it may have been revoked. */
  readonly askedAt: number;
  readonly grant: AccessGrant;
}

interface Asking {
  readonly askedAt: number;
  readonly answer: Promise<AccessGrant | undefined>;
}

/**
 * Returns `find` with a cache, which keeps a grant for `maxAgeMs` (3 s), but never past its expiry, and for at most
 * `maxEntries` (10,000) tokens. Concurrent calls for the same token share one look-up. Unknown tokens and failures are
 * not cached: so a new token works at once, and strangers who try tokens cannot evict the grants of others. Keys are
 * SHA-256 hashes, so the cache contains no token.
 */
export function createTokenCache(find: FindToken, options: TokenCacheOptions = {}): FindToken {
  const { now = Date.now, maxAgeMs = 3_000, maxEntries = 10_000 } = options;
  const remembered = new LRUCache<string, Remembered>({ max: maxEntries });
  const asking = new Map<string, Asking>();

  /**
   * True if a look-up is recent enough. An instant in the future, which is possible after the clock was set back, is
   * not.
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
    // A slow look-up may have read before a revocation, so a newer one is started.
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
  /** Receives the ids of the tokens used since the previous call. */
  readonly note: (tokenIds: readonly number[]) => Promise<void>;
  /** Interval between two calls of `note`; nothing depends on the exact time of the last use. */
  readonly everyMs?: number;
  /** Receives the errors of `note`. The same ids are passed to a later call again. */
  readonly onError: (error: unknown) => void;
}

/** Limit of remembered tokens, which bounds the memory while the database is down. */
const MAX_TOKENS = 10_000;

/**
 * Returns `find` that also records the use of tokens, up to 30 s later and in one statement for all tokens: a write per
 * request would be too expensive. `close` records the uses that are left.
 */
export function trackTokenUse(
  find: FindToken,
  { note, everyMs = 30_000, onError }: TokenUseOptions,
): { readonly findToken: FindToken; close(): Promise<void> } {
  const used = new Set<number>();
  let noting: Promise<void> = Promise.resolve();
  const noteUsed = async () => {
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    try {
      await note(ids);
    } catch (error) {
      for (const id of ids) add(id);
      onError(error);
    }
  };
  const add = (id: number) => {
    if (used.size < MAX_TOKENS) used.add(id);
  };
  const timer = setInterval(() => {
    noting = noting.then(noteUsed);
  }, everyMs).unref();
  return {
    findToken: async (token) => {
      const grant = await find(token);
      if (grant !== undefined) add(grant.tokenId);
      return grant;
    },
    close: async () => {
      clearInterval(timer);
      await noting;
      await noteUsed();
    },
  };
}

const MINUTE_S = 60;
/** Retry-After in seconds once the limit is spent: after this time a part of it is available again. */
const SHARE_S = 3;

/**
 * Returns `find` that counts each use as a request of the token, and throws tokenBudgetSpent if the limit per minute is
 * used up. The whole limit may be used at once. Afterwards a twentieth of it becomes available every 3 s, so that
 * nobody has to wait for the rest of the minute. Invalid tokens are not counted.
 * @param perMinute 0: no limit
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
      // The counters are in memory, so the only possible error is a spent limit.
      throw new ServiceError('tokenBudgetSpent', { limit: String(perMinute) });
    }
    return grant;
  };
}

/** Two ways for an app to look up tokens. */
export interface Tokens extends Closeable {
  /** Looks up a token with a cache, see createTokenCache. */
  readonly peekToken: FindToken;
  /** Like `peekToken`, but also counts a request and records the use. */
  readonly findToken: FindToken;
}

interface TokensOptions {
  /** The database that stores the last uses. */
  readonly pool: Database['pool'];
  /** Limit of requests per token; 0 or absent: none. */
  readonly requestsPerMinute?: number | undefined;
  readonly logger: Logger;
}

/** Returns `find` with a cache, a request limit and recording of uses. `close` records the uses that are left. */
export function openTokens(find: FindToken, { pool, requestsPerMinute = 0, logger }: TokensOptions): Tokens {
  const peekToken = createTokenCache(find);
  const uses = trackTokenUse(limitRequests(peekToken, requestsPerMinute), {
    note: (tokenIds) => noteTokenUse(pool, tokenIds),
    onError: (error) => logger.warn({ error: String(error) }, 'the last use of tokens was not noted'),
  });
  return { peekToken, ...uses };
}
