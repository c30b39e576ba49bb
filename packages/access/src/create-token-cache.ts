import type { AccessGrant } from './find-access-token.js';
import { hashToken, isWellFormedToken } from './token-format.js';

export type FindToken = (token: string) => Promise<AccessGrant | undefined>;

export interface TokenCacheOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** How long a grant is believed. A revocation is effective after this and the time that a look-up takes. */
  readonly maxAgeMs?: number;
  /** Grants that are remembered; past that the oldest is forgotten. */
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
  // In the order of insertion, so the first is the oldest.
  const remembered = new Map<string, Remembered>();
  const asking = new Map<string, Asking>();

  /** A clock that was set back makes an instant of the future: that is not fresh either. */
  const isFresh = (askedAt: number, at: number) => askedAt <= at && at - askedAt < maxAgeMs;

  const remember = (key: string, entry: Remembered) => {
    remembered.delete(key);
    remembered.set(key, entry);
    if (remembered.size <= maxEntries) return;
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest);
      return;
    }
  };

  const ask = async (key: string, token: string, askedAt: number) => {
    const grant = await find(token);
    if (grant === undefined) {
      remembered.delete(key);
    } else {
      remember(key, { askedAt, grant });
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
