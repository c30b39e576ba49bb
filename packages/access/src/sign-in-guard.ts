import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Database } from '@takt/database';
import { ConcurrencyLimiter } from '@takt/run';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { idOf } from './api-clients.js';
import type { GrantResult } from './grants.js';

/** Who tries to sign in, and from where. */
export interface Attempt {
  /** The person whose password is shown; undefined: it is a secret that nobody can guess. */
  readonly pid: number | undefined;
  /** Remote address. */
  readonly address: string;
}

/** Nothing was checked: too often it failed before, or too many are being checked. */
export interface PutOff {
  readonly putOff: 'failures' | 'busy';
  readonly retryAfterS: number;
}

export interface SignInGuard {
  /** `check`, when it is its turn, unless it failed too often: then it is not begun. */
  attempt<Result extends GrantResult | { readonly quickened: true }>(
    who: Attempt,
    check: () => Promise<Result>,
  ): Promise<Result | PutOff>;
}

interface SignInGuardLimits {
  /** Wrong passwords of a person in 15 minutes from all networks together that are not known to be the person's, or from one that is. */
  readonly failures: number;
  /** Attempts that wait while others are checked. */
  readonly maxWaiting: number;
}

const defaultSignInGuardLimits: SignInGuardLimits = {
  failures: 10,
  // Some 2 s of work.
  maxWaiting: 16,
};

/** Of the 4 threads that Node.js has for scrypt, files and names of hosts keep the others. */
const CHECKED_AT_ONCE = 2;
const FAILURE_WINDOW_S = 15 * 60;
const ATTEMPT_WINDOW_S = 60;
/** Networks with more attempts in a minute that came to nothing share one place, so that the other is soon free. */
const MAX_UNSUSPICIOUS_ATTEMPTS = 5;
/** An answer is promised within 3 s. */
const MAX_WAIT_MS = 2_000;
const BUSY: PutOff = { putOff: 'busy', retryAfterS: 2 };

/**
 * Holds back who guesses passwords, and nobody else. A check costs 0.2 s of a core, so a few are made at a time: one of a
 * network and one of a person, so that no more are begun than may fail.
 *
 * - Failures are counted for a person: from all networks together, but from each network apart in which the person has
 *   signed in before. So guesses lock nobody out where the person is at home, however many addresses they come from.
 * - Failures of a network refuse nobody, since behind a proxy that is everybody: they only rank. A person in a known
 *   network goes first, then who has the fewest attempts in the last minute that came to nothing; a lower rank takes the
 *   waiting place of a higher one.
 *
 * Each name and network falls into one of 65,536 places, by a hash that nobody outside can foretell: the memory is bounded
 * however many there are, for the price that two may share a place.
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
        // Those before it may have failed meanwhile.
        const late = await failures.findPutOff(subject.name);
        if (late !== undefined) return late;
        const result = await check();
        await failures.note(subject.name, result);
        if (!('refused' in result)) await Promise.all([turn.forget(), subject.settleIn()]);
        return result;
      } finally {
        turn.end();
      }
    },
  };
}

interface Subject {
  /** Under which failures are counted; undefined: none are. */
  readonly name: string | undefined;
  readonly network: string;
  readonly isKnown: boolean;
  /** From now on the person is known there. */
  settleIn(): Promise<void>;
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
      settleIn: async () => (isKnown ? undefined : known.add(pid, from)),
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
  /** The attempt came to something: it does not count. */
  forget(): Promise<unknown>;
}

/** Gives each attempt its turn; undefined where too many wait that go before it. */
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

/** A place for each name: one of 65,536, which nobody outside can foretell. */
export function createPlaces(): (name: string) => string {
  const secret = randomBytes(16);
  return (name) => createHmac('sha256', secret).update(name).digest().readUInt16BE(0).toString(36);
}

/** What one client may have many addresses of: of IPv6 the first 64 bits. */
function networkOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!isIPv6(ipv4)) return ipv4;
  const [head = '', tail] = ipv4.split('::');
  const groups = head.split(':');
  const known = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length).fill('0')];
  return known.slice(0, 4).join(':');
}

/** From where people have signed in. */
export interface KnownNetworks {
  has(pid: number, network: string): Promise<boolean>;
  /** The network of a sign-in that succeeded. */
  add(pid: number, network: string): Promise<void>;
}

/**
 * The last 8 networks of each person, kept by the database: all processes know them, also after a start. The role takt_api
 * or takt_dashboard is enough.
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
    add: async (pid, network) => {
      await pool.query({
        name: 'note_known_network',
        text: 'SELECT takt.note_known_network($1, $2)',
        values: [idOf(pid), network],
      });
    },
  };
}
