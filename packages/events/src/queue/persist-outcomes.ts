import { setTimeout as delay } from 'node:timers/promises';
import type { IQueueBackend } from 'bullmq';
import type { Claim } from './store.js';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/** BullMQ asks for the next job again at once after most errors, thousands of times while a server starts. */
const CLAIM_RETRY_MS = 250;

/**
 * Makes a worker's claims and the ends of its jobs outlast a store that is away for a while. BullMQ takes every error
 * of a completion, except a refused connection, for an error of the job: one whose effect is committed would end
 * among the failed because its acknowledgement met a restart of the server.
 *
 * Once `closed` is aborted, what has not arrived never settles, as BullMQ itself does with what comes after a close.
 */
export function persistOutcomes(backend: IQueueBackend, closed: AbortSignal): IQueueBackend {
  const nothingNext = () => ({ result: undefined, finishedOn: Date.now() });
  return decorateBackend(backend, {
    moveToCompleted: (...call) => persist(() => backend.moveToCompleted(...call), nothingNext, closed),
    moveToFailed: (...call) => persist(() => backend.moveToFailed(...call), nothingNext, closed),
    moveJobFromActiveToWait: (...call) => giveBack(backend, call, closed),
    moveToActive: async (...call) => {
      try {
        return await backend.moveToActive(...call);
      } catch (error) {
        if (isTransientError(error)) await delay(CLAIM_RETRY_MS);
        throw error;
      }
    },
  });
}

/** The backend with some of its calls replaced. What it calls of itself stays as it is. */
export function decorateBackend(backend: IQueueBackend, calls: Partial<IQueueBackend>): IQueueBackend {
  return new Proxy(backend, {
    get: (target, name) => {
      if (Object.hasOwn(calls, name)) return Reflect.get(calls, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value),
  });
}

/** Gives a claimed job back to its queue; tries until the store has answered. */
function giveBack(
  backend: IQueueBackend,
  call: Parameters<IQueueBackend['moveJobFromActiveToWait']>,
  closed: AbortSignal,
): ReturnType<IQueueBackend['moveJobFromActiveToWait']> {
  return persist(
    () => backend.moveJobFromActiveToWait(...call),
    () => 0,
    closed,
  );
}

/**
 * Tries until the store has answered. An error of BullMQ after a try whose answer was lost gives `whenGone`: that try arrived,
 * or the claim has gone to another worker meanwhile; either way nothing is left to do.
 */
async function persist<Result>(
  move: () => Promise<Result>,
  whenGone: () => Result,
  closed: AbortSignal,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await move();
    } catch (error) {
      if (failures > 0 && isOfBullMq(error)) return whenGone();
      if (!isTransientError(error)) throw error;
      await delay(Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), MAX_RETRY_MS));
      if (closed.aborted) return new Promise<never>(() => undefined);
    }
  }
}

/** BullMQ's own errors, such as a lost claim, carry a number as their code. */
function isOfBullMq(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/**
 * SQLSTATE classes that say nothing against the statement: connection exceptions, a server in the wrong state (a
 * standby after a failover), rollbacks such as deadlocks, lack of resources, operator intervention, system errors.
 */
const PASSING_CLASSES: ReadonlySet<string> = new Set(['08', '25', '40', '53', '55', '57', '58']);

/** First words of Redis's errors that a restart, a failover or an operator ends. */
const PASSING_REPLIES =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|OOM|MISCONF|UNBLOCKED)\b/;

/** Whether the same call can succeed later: the store was away, starting or busy, and did not object to the call. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  // As node-postgres has it: system errors of Node have a name as their code as well, but no severity.
  if ('severity' in error && 'code' in error) return PASSING_CLASSES.has(String(error.code).slice(0, 2));
  if (error.name === 'ReplyError') return PASSING_REPLIES.test(error.message);
  // What is left: BullMQ's own errors have a number as their code, lost connections a name or none.
  return !('code' in error && typeof error.code === 'number');
}

interface LostClaims {
  /** The backend whose claims are followed. */
  readonly backend: IQueueBackend;
  /** To be called when a connection broke whose client repeats by itself what was under way. */
  readonly suspectAll: () => void;
}

interface LostClaimsOptions {
  readonly findClaims: (tokens: readonly string[]) => Promise<readonly Claim[]>;
  /** Aborted when there is nothing left to look after. */
  readonly closed: AbortSignal;
}

const LOOK_EVERY_MS = 500;
/** So long after its connection broke, a call that was on its way can still arrive. */
const ARRIVAL_MS = 5_000;

/**
 * A claim whose answer is lost with its connection leaves a job claimed that nobody works on, until the claim runs out.
 * BullMQ gives every chain of claims a token of its own, and a chain holds one job at a time; so of the jobs under a
 * token whose call has failed, all but the one that is held are such jobs, and are given back at once.
 *
 * Every claim must pass here once: wrap this before what repeats calls.
 */
export function returnLostClaims(
  backend: IQueueBackend,
  { findClaims, closed }: LostClaimsOptions,
): LostClaims {
  const underWay = new Set<string>();
  /** Job by token. */
  const held = new Map<string, string>();
  /** When the last call of a token failed, by the steady clock. */
  const suspects = new Map<string, number>();
  let isLooking = false;

  const suspect = (token: string) => {
    suspects.set(token, performance.now());
    if (isLooking) return;
    isLooking = true;
    void lookUntilSettled().finally(() => {
      isLooking = false;
    });
  };
  const lookUntilSettled = async () => {
    while (suspects.size > 0 && !closed.aborted) {
      await delay(LOOK_EVERY_MS);
      await look().catch(() => undefined);
    }
  };
  const look = async () => {
    const startedAt = performance.now();
    const tokens = [...suspects.keys()].filter((token) => !underWay.has(token));
    if (tokens.length === 0) return;
    for (const { jobId, token } of await findClaims(tokens)) {
      if (underWay.has(token) || held.get(token) === jobId) continue;
      // Where it is refused, the claim has run out meanwhile.
      await giveBack(backend, [jobId, token], closed).catch(() => undefined);
    }
    for (const token of tokens) {
      if (startedAt - (suspects.get(token) ?? startedAt) > ARRIVAL_MS) suspects.delete(token);
    }
  };

  const hold = (token: string, jobId: unknown) => {
    held.delete(token);
    if (typeof jobId === 'string' && jobId !== '') held.set(token, jobId);
  };
  const follow = async <Answer>(
    token: string,
    call: () => Promise<Answer>,
    jobIn: (answer: Answer) => unknown,
  ): Promise<Answer> => {
    underWay.add(token);
    try {
      const answer = await call();
      hold(token, jobIn(answer));
      return answer;
    } catch (error) {
      if (isTransientError(error)) {
        suspect(token);
      } else {
        held.delete(token);
      }
      throw error;
    } finally {
      underWay.delete(token);
    }
  };
  const following = decorateBackend(backend, {
    moveToActive: (...call) => follow(call[0], () => backend.moveToActive(...call), idIn),
    moveToCompleted: (...call) =>
      follow(
        call[3],
        () => backend.moveToCompleted(...call),
        ({ result }) => idIn(result),
      ),
    moveToFailed: (...call) =>
      follow(
        call[3],
        () => backend.moveToFailed(...call),
        ({ result }) => idIn(result),
      ),
  });
  return { backend: following, suspectAll: () => underWay.forEach(suspect) };
}

/** A job stands in an answer as its data and its id. */
function idIn(next: unknown): unknown {
  return Array.isArray(next) ? next[1] : undefined;
}
