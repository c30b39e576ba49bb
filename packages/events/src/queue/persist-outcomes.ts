import { setTimeout as delay } from 'node:timers/promises';
import type { IQueueBackend } from 'bullmq';
import type { Claim } from './store.js';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/**
 * Delay before a failed claim is retried. Without this delay BullMQ would retry at once after most errors, thousands of
 * times while a server starts.
 */
const CLAIM_RETRY_MS = 250;

/**
 * Makes a worker's claims and completions survive a short outage of the store. BullMQ treats any error while it reports
 * a completion, except a refused connection, as a failure of the job. Without this function, a job whose work is
 * committed would be moved to the failed jobs because the server restarted before it acknowledged the completion. Once
 * `closed` is aborted, unfinished calls never settle, as BullMQ's own calls after a close.
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

/**
 * Returns the backend with some of its methods replaced. When the backend calls its own methods, it still calls the
 * original ones.
 */
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

/** Returns a claimed job to its queue, and retries until the store has answered. */
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
 * Repeats the call until the store has answered. After a lost answer BullMQ may report an error: then the first try did
 * reach the store, or another worker has claimed the job in the meantime. In both cases nothing is left to do, and
 * `whenGone` gives the result.
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

/** Returns true for BullMQ's own errors, such as a lost claim. They have numeric codes. */
function isOfBullMq(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/**
 * SQLSTATE classes of errors that are not caused by the statement: connection exceptions, a server in the wrong state
 * (a standby after a failover), rollbacks such as deadlocks, lack of resources, operator intervention, and system
 * errors.
 */
const PASSING_CLASSES: ReadonlySet<string> = new Set(['08', '25', '40', '53', '55', '57', '58']);

/**
 * Matches the first words of Redis errors that are temporary. A restart, a failover or an operator ends the state that
 * causes them.
 */
const PASSING_REPLIES =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|OOM|MISCONF|UNBLOCKED)\b/;

/** Returns true if the same call may succeed later, because the store was down, starting or busy. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  // Errors of node-postgres have a severity; Node's system errors have a code but no severity.
  if ('severity' in error && 'code' in error) return PASSING_CLASSES.has(String(error.code).slice(0, 2));
  if (error.name === 'ReplyError') return PASSING_REPLIES.test(error.message);
  // BullMQ's own errors have numeric codes. An error of a lost connection has a code that is a name, or no code.
  return !('code' in error && typeof error.code === 'number');
}

interface LostClaims {
  /** The backend whose claims are to be tracked. */
  readonly backend: IQueueBackend;
  /** To be called when a connection broke and its client repeats the running commands by itself. */
  readonly suspectAll: () => void;
}

interface LostClaimsOptions {
  readonly findClaims: (tokens: readonly string[]) => Promise<readonly Claim[]>;
  /** Aborted when no more claims need to be tracked. */
  readonly closed: AbortSignal;
}

const LOOK_EVERY_MS = 500;
/** Maximum time after which a call may still reach the store although its connection broke. */
const ARRIVAL_MS = 5_000;

/**
 * Returns lost claims to the queue. If the answer to a claim is lost with its connection, the job would stay claimed
 * without a worker until the claim expires. BullMQ uses one token for each chain of claims, and a chain holds one job
 * at a time. So after a failed call, all jobs that have its token are returned to the queue at once, except the job
 * that the chain holds. Each claim must pass this function exactly once, so apply the function to the backend before
 * any function that retries.
 */
export function returnLostClaims(
  backend: IQueueBackend,
  { findClaims, closed }: LostClaimsOptions,
): LostClaims {
  const underWay = new Set<string>();
  /** The id of the job that each token holds. */
  const held = new Map<string, string>();
  /** The time of the latest failed call of each token, by the monotonic clock. */
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
      // If the store refuses, the claim has already expired and nothing is left to do.
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

/** Returns the job id in the answer to a claim. The answer starts with the job's data and the job's id. */
function idIn(next: unknown): unknown {
  return Array.isArray(next) ? next[1] : undefined;
}
