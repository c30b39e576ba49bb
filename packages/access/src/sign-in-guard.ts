import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { GrantResult, Refusal } from './grants.js';
import { TooManySignInsError } from './slow-hash.js';

/** Who tries to sign in, and from where. */
export interface Attempt {
  readonly clientId: number | undefined;
  /** The person; undefined where a client acts for itself, or where what is shown is no password. */
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
  /** `check`, unless it failed too often: then it is not begun. */
  attempt(who: Attempt, check: () => Promise<GrantResult>): Promise<GrantResult | PutOff>;
}

export interface SignInGuardLimits {
  /** Failures of a client or a person from one address in 15 minutes. */
  readonly failuresOfName: number;
  /** Failures from one address in a minute; behind a proxy that is everybody. */
  readonly failuresOfAddress: number;
  /** Attempts from one address that wait while another of it is checked. */
  readonly maxWaiting: number;
}

export const defaultSignInGuardLimits: SignInGuardLimits = {
  failuresOfName: 10,
  failuresOfAddress: 20,
  // The last of them has its answer in time.
  maxWaiting: 9,
};

const NAME_WINDOW_S = 15 * 60;
const ADDRESS_WINDOW_S = 60;
const BUSY_RETRY_S = 2;

/**
 * Holds back who guesses. A check costs 0.2 s of a core, so what failed too often is refused before it begins, and the
 * attempts of one address are checked one after another: so the limit is exact, and one address never takes more than one
 * core or fills the queue of the others. A success forgets the failures of its own name, and of nobody else.
 *
 * Each name and address falls into one of 65,536 places, by a hash that nobody outside can foretell: the memory is bounded
 * however many there are, for the price that two may share a place.
 */
export function createSignInGuard(limits: SignInGuardLimits = defaultSignInGuardLimits): SignInGuard {
  const failures = createFailures(limits);
  const takeTurn = createTurns(limits.maxWaiting);
  return {
    attempt: async (who, check) => {
      const network = networkOf(who.address);
      const keys = failures.keysOf(who, network);
      const early = await failures.findPutOff(keys);
      if (early !== undefined) return early;
      const endTurn = await takeTurn(network);
      if (endTurn === undefined) return { putOff: 'busy', retryAfterS: BUSY_RETRY_S };
      try {
        // Those before it may have failed meanwhile.
        const late = await failures.findPutOff(keys);
        if (late !== undefined) return late;
        const result = await check();
        await failures.note(keys, result);
        return result;
      } catch (error) {
        if (!(error instanceof TooManySignInsError)) throw error;
        return { putOff: 'busy', retryAfterS: error.retryAfterS };
      } finally {
        endTurn();
      }
    },
  };
}

interface Keys {
  readonly network: string;
  readonly client: string | undefined;
  readonly person: string | undefined;
}

function createFailures({ failuresOfName, failuresOfAddress }: SignInGuardLimits) {
  const names = new RateLimiterMemory({ points: failuresOfName, duration: NAME_WINDOW_S });
  const networks = new RateLimiterMemory({ points: failuresOfAddress, duration: ADDRESS_WINDOW_S });
  const placeOf = createPlaces();
  const waitMs = async (limiter: RateLimiterMemory, key: string | undefined) => {
    const known = key === undefined ? null : await limiter.get(key);
    return known !== null && known.consumedPoints >= limiter.points ? known.msBeforeNext : 0;
  };
  return {
    keysOf: ({ clientId, pid }: Attempt, network: string): Keys => ({
      network: placeOf(network),
      client: clientId === undefined ? undefined : placeOf(`client ${clientId} ${network}`),
      person: pid === undefined ? undefined : placeOf(`person ${pid} ${network}`),
    }),
    findPutOff: async ({ network, client, person }: Keys): Promise<PutOff | undefined> => {
      const waits = [waitMs(networks, network), waitMs(names, client), waitMs(names, person)];
      const longestMs = Math.max(...(await Promise.all(waits)));
      return longestMs <= 0 ? undefined : { putOff: 'failures', retryAfterS: Math.ceil(longestMs / 1000) };
    },
    note: async (keys: Keys, result: GrantResult): Promise<void> => {
      if ('issued' in result) {
        const own = [keys.client, keys.person].filter((key) => key !== undefined);
        await Promise.all(own.map((key) => names.delete(key)));
        return;
      }
      const wrong = nameAtFault(result.refused, keys);
      if (wrong === undefined) return;
      await Promise.all([names.penalty(wrong), networks.penalty(keys.network)]);
    },
  };
}

/** A refresh token or a code that is not valid is no guess: of these there are too many to try. */
function nameAtFault(refused: Refusal, { client, person }: Keys): string | undefined {
  if (refused === 'invalid_client') return client;
  return refused === 'invalid_grant' ? person : undefined;
}

/** A place for each name: one of 65,536, which nobody outside can foretell. */
export function createPlaces(): (name: string) => string {
  const secret = randomBytes(16);
  return (name) => createHmac('sha256', secret).update(name).digest().readUInt16BE(0).toString(36);
}

/** Gives each its turn among those of one network, and the function that ends it; undefined where too many wait. */
function createTurns(maxWaiting: number) {
  const queues = new Map<string, (() => void)[]>();
  return async (network: string): Promise<(() => void) | undefined> => {
    const queue = queues.get(network);
    if (queue === undefined) {
      queues.set(network, []);
    } else {
      if (queue.length >= maxWaiting) return undefined;
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    return () => {
      const next = queues.get(network)?.shift();
      if (next === undefined) {
        queues.delete(network);
      } else {
        next();
      }
    };
  };
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
