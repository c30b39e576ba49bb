import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Database } from '@takt/database';
import { ConcurrencyLimiter } from '@takt/run';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { idOf } from './api-clients.js';
import type { GrantResult } from './grants.js';
import { hashToken } from './secrets.js';

/** An attempt to sign in: the person, and the place from which the attempt comes. */
export interface Attempt {
  /** The person whose password is checked. undefined if the secret of a client is checked, which cannot be guessed. */
  readonly pid: number | undefined;
  /** The remote address of the request. */
  readonly address: string;
}

/**
 * The result of an attempt that was not checked. `failures`: there were too many failures before. `busy`: there are too
 * many attempts at the same time.
 */
export interface PutOff {
  readonly putOff: 'failures' | 'busy';
  readonly retryAfterS: number;
}

export interface SignInGuard {
  /** Runs `check` when it is the turn of the attempt. Does not run it at all if there were too many failures. */
  attempt<Result extends GrantResult | { readonly quickened: true }>(
    who: Attempt,
    check: () => Promise<Result>,
  ): Promise<Result | PutOff>;
}

interface SignInGuardLimits {
  /**
   * The number of wrong passwords that a person may enter within 15 minutes. Each known network has this limit for
   * itself; all unknown networks together have it once.
   */
  readonly failures: number;
  /** The number of attempts that may wait while others are being checked. */
  readonly maxWaiting: number;
}

const defaultSignInGuardLimits: SignInGuardLimits = {
  failures: 10,
  // It takes some 2 s to check this number of attempts.
  maxWaiting: 16,
};

/**
 * The number of attempts that are checked at the same time. Node.js has 4 threads for scrypt, files and DNS, so two of
 * them stay free.
 */
const CHECKED_AT_ONCE = 2;
const FAILURE_WINDOW_S = 15 * 60;
const ATTEMPT_WINDOW_S = 60;
/**
 * The number of failed attempts that a network may have within a minute without becoming suspicious. All suspicious
 * networks together can use only one of the two places for checks, so the other place soon becomes free for everybody
 * else.
 */
const MAX_UNSUSPICIOUS_ATTEMPTS = 5;
/**
 * The maximum time in milliseconds that an attempt waits for its turn. It is short enough for an answer within the
 * promised 3 s.
 */
const MAX_WAIT_MS = 2_000;
const BUSY: PutOff = { putOff: 'busy', retryAfterS: 2 };

/**
 * Creates a guard that slows down the guessing of passwords without locking anybody out. A check takes 0.2 s of a core,
 * so only a few checks run at the same time. For each network and for each person only one check runs at a time, so
 * that simultaneous attempts cannot exceed the limit of failures.
 * - Failures are counted for each person: once for all unknown networks together, and once for each network from which
 *   the person has signed in before. So guesses from elsewhere, from however many addresses, do not lock out people in
 *   their own networks.
 * - Failures of a network only lower the rank of the attempts from this network. They do not lock out the network,
 *   because behind a proxy everybody has the same network. A person in a known network has the best rank; after that,
 *   the network with the fewest failed attempts in the last minute. If all waiting places are taken, an attempt with a
 *   better rank takes the place of one with a worse rank.
 * Names and networks are not stored: a secret hash maps each of them to one of 65,536 counters. That limits the memory,
 * but two names or networks may share a counter.
 */
export function createSignInGuard(
  known: KnownNetworks,
  limits: SignInGuardLimits = defaultSignInGuardLimits,
): SignInGuard {
  const failures = createFailures(limits.failures);
  const awaitPrevious = createAttemptQueue(limits.maxWaiting);
  const identify = identifyBy(known);
  return {
    attempt: async (who, check) => {
      const subject = await identify(who);
      const early = await failures.findPutOff(subject.name);
      if (early !== undefined) return early;
      const turn = await awaitPrevious(subject);
      if (turn === undefined) return BUSY;
      try {
        // The failures are checked again, because earlier attempts may have failed while this one was waiting.
        const late = await failures.findPutOff(subject.name);
        if (late !== undefined) return late;
        const result = await check();
        await failures.note(subject.name, result);
        if (!('refused' in result)) await Promise.all([turn.forget(), subject.settleIn(result)]);
        return result;
      } finally {
        turn.end();
      }
    },
  };
}

interface Subject {
  /** The name under which failures are counted; undefined if the failures of this attempt are not counted. */
  readonly name: string | undefined;
  readonly network: string;
  readonly isKnown: boolean;
  /** Adds the network to the known networks of the person. */
  settleIn(result: GrantResult | { readonly quickened: true }): Promise<void>;
}

function identifyBy(known: KnownNetworks): (who: Attempt) => Promise<Subject> {
  const placeOf = createPlaces();
  return async ({ pid, address }) => {
    const from = networkOf(address);
    const network = placeOf(from);
    if (pid === undefined) return { name: undefined, network, isKnown: false, settleIn: async () => {} };
    const isKnown = await known.has(pid, from);
    return {
      name: placeOf(isKnown ? `${pid} ${from}` : `${pid}`),
      network,
      isKnown,
      settleIn: async (result) =>
        isKnown || !('issued' in result) ? undefined : known.add(result.issued.accessToken, from),
    };
  };
}

function createFailures(points: number) {
  const limiter = new RateLimiterMemory({ points, duration: FAILURE_WINDOW_S });
  return {
    findPutOff: async (name: string | undefined): Promise<PutOff | undefined> => {
      const failed = name === undefined ? null : await limiter.get(name);
      if (failed === null || failed.consumedPoints < points || failed.msBeforeNext <= 0) return undefined;
      return { putOff: 'failures', retryAfterS: Math.ceil(failed.msBeforeNext / 1000) };
    },
    note: async (name: string | undefined, result: object): Promise<void> => {
      if (name === undefined) return;
      if (!('refused' in result)) {
        await limiter.delete(name);
      } else if (result.refused === 'invalid_grant') {
        await limiter.penalty(name);
      }
    },
  };
}

interface Turn {
  end(): void;
  /** Takes the attempt out of the number of the network's failed attempts. */
  forget(): Promise<unknown>;
}

/**
 * Returns a function that waits until it is the turn of an attempt. The function returns undefined if the turn does not
 * come in time, or if too many attempts with a better rank are waiting.
 */
function createAttemptQueue(maxWaiting: number) {
  const attempts = new RateLimiterMemory({ points: 1, duration: ATTEMPT_WINDOW_S });
  const shares = { network: 1, name: 1, suspects: 1 };
  const limiter = new ConcurrencyLimiter({ capacity: CHECKED_AT_ONCE, shares, maxWaiting });
  return async ({ network, name, isKnown }: Subject): Promise<Turn | undefined> => {
    const { consumedPoints } = await attempts.penalty(network);
    const isSuspect = !isKnown && consumedPoints > MAX_UNSUSPICIOUS_ATTEMPTS;
    const owners = {
      network,
      ...(name === undefined ? {} : { name }),
      ...(isSuspect ? { suspects: 'all' } : {}),
    };
    const rank = isKnown ? 0 : Math.max(1, consumedPoints);
    const end = await limiter.enter({ owners, rank, untilMs: performance.now() + MAX_WAIT_MS });
    return typeof end === 'string' ? undefined : { end, forget: () => attempts.reward(network) };
  };
}

/** Returns a function that maps each name to one of 65,536 places. Nobody outside can predict the place of a name. */
export function createPlaces(): (name: string) => string {
  const secret = randomBytes(16);
  return (name) => createHmac('sha256', secret).update(name).digest().readUInt16BE(0).toString(36);
}

/**
 * The network of an address. For IPv6 it is the first 64 bits of the address, because one client may have all addresses
 * with these bits. For IPv4 it is the whole address.
 */
function networkOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!isIPv6(ipv4)) return ipv4;
  const [head = '', tail] = ipv4.split('::');
  const groups = head.split(':');
  const known = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length).fill('0')];
  return known.slice(0, 4).join(':');
}

/** Remembers the networks from which people have signed in. */
export interface KnownNetworks {
  has(pid: number, network: string): Promise<boolean>;
  /** Stores the network of a person who has just signed in and got this token. */
  add(accessToken: string, network: string): Promise<void>;
}

/**
 * Keeps the last 8 networks of each person in the database. So all processes share them, and they are not lost when a
 * process restarts. The role takt_api or takt_dashboard is sufficient.
 */
export function knownNetworksOf(pool: Database['pool']): KnownNetworks {
  return {
    has: async (pid, network) => {
      const { rows } = await pool.query<{ isKnown: boolean }>({
        name: 'is_known_network',
        text: 'SELECT takt.is_known_network($1, $2) AS "isKnown"',
        values: [idOf(pid), network],
      });
      return rows[0]?.isKnown === true;
    },
    add: async (accessToken, network) => {
      await pool.query({
        name: 'note_network_of_sign_in',
        text: 'SELECT takt.note_network_of_sign_in($1, $2)',
        values: [hashToken(accessToken), network],
      });
    },
  };
}
