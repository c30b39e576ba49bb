import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Database } from '@takt/database';
import { ConcurrencyLimiter } from '@takt/run';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { idOf } from './api-clients.js';
import type { GrantResult } from './grants.js';

/** The person and the origin of a sign-in attempt. */
export interface Attempt {
  /** The person whose password is checked; undefined for a secret that cannot be guessed. */
  readonly pid: number | undefined;
  /** Remote address. */
  readonly address: string;
}

/** The attempt was not checked: too many failures before, or too many attempts at once. */
export interface PutOff {
  readonly putOff: 'failures' | 'busy';
  readonly retryAfterS: number;
}

export interface SignInGuard {
  /** Runs `check` in its turn, or not at all after too many failures. */
  attempt<Result extends GrantResult | { readonly quickened: true }>(
    who: Attempt,
    check: () => Promise<Result>,
  ): Promise<Result | PutOff>;
}

interface SignInGuardLimits {
  /** Wrong passwords of a person in 15 minutes, from all unknown networks together or from one known network. */
  readonly failures: number;
  /** Attempts that wait while others are checked. */
  readonly maxWaiting: number;
}

const defaultSignInGuardLimits: SignInGuardLimits = {
  failures: 10,
  // Some 2 s of work.
  maxWaiting: 16,
};

/** Node.js has 4 threads for scrypt, files and DNS; the others stay free. */
const CHECKED_AT_ONCE = 2;
const FAILURE_WINDOW_S = 15 * 60;
const ATTEMPT_WINDOW_S = 60;
/** Networks with more failed attempts in a minute share one of the two places, so that the other is soon free. */
const MAX_UNSUSPICIOUS_ATTEMPTS = 5;
/** An answer is promised within 3 s. */
const MAX_WAIT_MS = 2_000;
const BUSY: PutOff = { putOff: 'busy', retryAfterS: 2 };

/**
 * Slows down password guessing without locking anybody out. A check takes 0.2 s of a core, so only a few run at a time,
 * and one per network and per person, so that no more start than may fail.
 * - Failures count per person: together from all unknown networks, and separately from each network where the person
 *   has signed in before. So guesses from elsewhere lock nobody out at home, however many addresses they use.
 * - Failures of a network only lower its rank, because behind a proxy it is everybody. A person in a known network goes
 *   first, then the fewest failed attempts in the last minute. A better rank takes the waiting place of a worse one.
 * A secret hash maps each name and network to one of 65,536 counters. That bounds the memory; the price is that two may
 * share a counter.
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
        // Earlier attempts may have failed in the meantime.
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
  /** The name for counting failures; undefined: they are not counted. */
  readonly name: string | undefined;
  readonly network: string;
  readonly isKnown: boolean;
  /** Adds the network to the person's known ones. */
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
  /** Removes the attempt from the count of failed ones. */
  forget(): Promise<unknown>;
}

/** Runs attempts in turn; undefined if too many better ones wait. */
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

/** Maps names to one of 65,536 places, unpredictably from outside. */
export function createPlaces(): (name: string) => string {
  const secret = randomBytes(16);
  return (name) => createHmac('sha256', secret).update(name).digest().readUInt16BE(0).toString(36);
}

/** The network of one client: the first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!isIPv6(ipv4)) return ipv4;
  const [head = '', tail] = ipv4.split('::');
  const groups = head.split(':');
  const known = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length).fill('0')];
  return known.slice(0, 4).join(':');
}

/** Networks where people have signed in. */
export interface KnownNetworks {
  has(pid: number, network: string): Promise<boolean>;
  /** Stores the network of a successful sign-in. */
  add(pid: number, network: string): Promise<void>;
}

/**
 * The last 8 networks of each person, in the database: shared by all processes and kept across restarts. The role
 * takt_api or takt_dashboard is enough.
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
