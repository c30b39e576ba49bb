import { setTimeout as delay } from 'node:timers/promises';
import type { IQueueBackend } from 'bullmq';

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
