import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Database } from '@takt/database';
import { ConcurrencyLimiter } from '@takt/run';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { idOf } from './api-clients.js';
import type { GrantResult } from './grants.js';

/** The person and the origin of a sign-in attempt. */
export interface Attempt {
  /** The person whose password is checked; undefined for a client's secret, which cannot be guessed. */
  readonly pid: number | undefined;
  /** The remote address. */
  readonly address: string;
}

/**
 * The result for an attempt that was not checked, because of too many earlier failures or too many attempts at once.
 */
export interface PutOff {
  readonly putOff: 'failures' | 'busy';
  readonly retryAfterS: number;
}

export interface SignInGuard {
  /** Runs `check` when its turn comes, or not at all after too many failures. */
  attempt<Result extends GrantResult | { readonly quickened: true }>(
    who: Attempt,
    check: () => Promise<Result>,
  ): Promise<Result | PutOff>;
}

interface SignInGuardLimits {
  /**
   * Wrong passwords that a person may have in 15 minutes: from all unknown networks together, and from each known
   * network.
   */
  readonly failures: number;
  /** Attempts that may wait while others are checked. */
  readonly maxWaiting: number;
}

const defaultSignInGuardLimits: SignInGuardLimits = {
  failures: 10,
  // Checking these takes some 2 s.
  maxWaiting: 16,
};

/** Checks at a time. Node.js has 4 threads for scrypt, files and DNS; the other two stay free. */
const CHECKED_AT_ONCE = 2;
const FAILURE_WINDOW_S = 15 * 60;
const ATTEMPT_WINDOW_S = 60;
/**
 * Failed attempts per network and minute. Networks with more share one of the two places for checks, so that the other
 * soon becomes free.
 */
const MAX_UNSUSPICIOUS_ATTEMPTS = 5;
/** Short enough for an answer within the promised 3 s. */
const MAX_WAIT_MS = 2_000;
const BUSY: PutOff = { putOff: 'busy', retryAfterS: 2 };

/**
 * Slows down password guessing without locking anybody out. A check takes 0.2 s of a core, so only a few run at a time.
 * Only one runs per network and per person, so that concurrent attempts cannot exceed the limit of failures.
 * - Failures count per person: together for all unknown networks, and separately for each network from which the person
 *   has signed in before. So guesses from elsewhere, from however many addresses, do not lock out people on their own
 *   networks.
 * - Failures of a network only lower the rank of its attempts, because behind a proxy everybody has the same network. A
 *   person in a known network goes first, then the network with the fewest failed attempts in the last minute. An
 *   attempt with a better rank takes the waiting place of one with a worse rank.
 * A secret hash maps each name and network to one of 65,536 counters. That bounds the memory, at the price that two of
 * them may share a counter.
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
        // Checked again, because earlier attempts may have failed in the meantime.
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
  /** The name under which failures are counted; undefined if they are not counted. */
  readonly name: string | undefined;
  readonly network: string;
  readonly isKnown: boolean;
  /** Adds the network to the known networks of the person. */
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
  /** Removes the attempt from the count of the network's failed attempts. */
  forget(): Promise<unknown>;
}

/**
 * Returns a function that waits for the turn of an attempt; it returns undefined if the turn does not come in time, or
 * too many attempts with a better rank wait.
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

/** Maps names to one of 65,536 places, in a way that cannot be predicted from outside. */
export function createPlaces(): (name: string) => string {
  const secret = randomBytes(16);
  return (name) => createHmac('sha256', secret).update(name).digest().readUInt16BE(0).toString(36);
}

/**
 * The network of an address: the first 64 bits of an IPv6 address, which one client may have for itself; a whole IPv4
 * address.
 */
function networkOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!isIPv6(ipv4)) return ipv4;
  const [head = '', tail] = ipv4.split('::');
  const groups = head.split(':');
  const known = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length).fill('0')];
  return known.slice(0, 4).join(':');
}

/** The networks from which people have signed in. */
export interface KnownNetworks {
  has(pid: number, network: string): Promise<boolean>;
  /** Stores the network from which a person has signed in. */
  add(pid: number, network: string): Promise<void>;
}

/**
 * Keeps the last 8 networks of each person in the database, so that all processes share them and they survive restarts.
 * The role takt_api or takt_dashboard is enough.
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
