// What apps put around the look-up of a token: memory, notes of its use, a limit of requests.
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
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** How long a grant is believed. A revocation is effective after this and the time that a look-up takes. */
  readonly maxAgeMs?: number;
  /** Grants that are remembered; past that the one that was not used for longest is forgotten. */
  readonly maxEntries?: number;
}

interface Remembered {
  /** When the question left: the grant was valid then, and nobody knows of any later instant. */
  readonly askedAt: number;
  readonly grant: AccessGrant;
}

interface Asking {
  readonly askedAt: number;
  readonly answer: Promise<AccessGrant | undefined>;
}

/**
 * `find`, asked less often: a grant is remembered for `maxAgeMs` (3 s) and never past its expiry, for at most
 * `maxEntries` (10,000) tokens, and who asks for a token while it is being looked up shares the answer.
 *
 * Neither "no such token" nor a failure is remembered: a new token works at once, and strangers who try tokens
 * cannot push the grants of others out. Tokens are remembered by their SHA-256: the cache keeps none of them.
 */
export function createTokenCache(find: FindToken, options: TokenCacheOptions = {}): FindToken {
  const { now = Date.now, maxAgeMs = 3_000, maxEntries = 10_000 } = options;
  const remembered = new LRUCache<string, Remembered>({ max: maxEntries });
  const asking = new Map<string, Asking>();

  /** A clock that was set back makes an instant of the future: that is not fresh either. */
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
    // An answer that has been long in coming may tell of a time before a revocation: then a newer one is asked for.
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
  /** Takes the ids of the tokens that were used since the call before. */
  readonly note: (tokenIds: readonly number[]) => Promise<void>;
  /** How often; nothing depends on the last use being known sooner. */
  readonly everyMs?: number;
  /** Hears what `note` failed with; what it would have noted is noted the next time. */
  readonly onError: (error: unknown) => void;
}

/** Tokens that are remembered until they are noted, so that a database that is away costs no memory without bound. */
const MAX_TOKENS = 10_000;

/**
 * `find`, and a note of the tokens that it found, some 30 s after their use: one statement for all of them, where one a
 * request would make every read a write. `close` notes the rest.
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

/** The tokens of an app, in both ways that it looks them up. */
export interface Tokens extends Closeable {
  /** As createTokenCache. */
  readonly peekToken: FindToken;
  /** As `peekToken`; counts a request of the token and notes its use. */
  readonly findToken: FindToken;
}

interface TokensOptions {
  /** Takes the notes of use. */
  readonly pool: Database['pool'];
  /** The limit of one token; 0 or absent: none. */
  readonly requestsPerMinute?: number | undefined;
  readonly logger: Logger;
}

/** `find` with memory, a limit of requests and notes of use. `close` notes the rest. */
export function openTokens(find: FindToken, { pool, requestsPerMinute = 0, logger }: TokensOptions): Tokens {
  const peekToken = createTokenCache(find);
  const uses = trackTokenUse(limitRequests(peekToken, requestsPerMinute), {
    note: (tokenIds) => noteTokenUse(pool, tokenIds),
    onError: (error) => logger.warn({ error: String(error) }, 'the last use of tokens was not noted'),
  });
  return { peekToken, ...uses };
}
