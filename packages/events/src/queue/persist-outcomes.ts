import { setTimeout as delay } from 'node:timers/promises';
import type { IQueueBackend } from 'bullmq';

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
  const { moveToCompleted, moveToFailed, moveJobFromActiveToWait, moveToActive } = backend;
  const nothingNext = () => ({ result: undefined, finishedOn: Date.now() });
  backend.moveToCompleted = (...call) =>
    persist(() => moveToCompleted.apply(backend, call), nothingNext, closed);
  backend.moveToFailed = (...call) => persist(() => moveToFailed.apply(backend, call), nothingNext, closed);
  backend.moveJobFromActiveToWait = (...call) =>
    persist(
      () => moveJobFromActiveToWait.apply(backend, call),
      () => 0,
      closed,
    );
  backend.moveToActive = async (...call) => {
    try {
      return await moveToActive.apply(backend, call);
    } catch (error) {
      if (isPassingFailure(error)) await delay(CLAIM_RETRY_MS);
      throw error;
    }
  };
  return backend;
}

/**
 * Tries until the store has answered. A refusal after a try whose answer was lost gives `whenGone`: that try arrived,
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
      if (failures > 0 && isRefusal(error)) return whenGone();
      if (!isPassingFailure(error)) throw error;
      await delay(Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), MAX_RETRY_MS));
      if (closed.aborted) return new Promise<never>(() => undefined);
    }
  }
}

/** BullMQ's own errors, such as a lost claim, carry a number as their code. */
function isRefusal(error: unknown): boolean {
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
export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  // As node-postgres has it: system errors of Node have a name as their code as well, but no severity.
  if ('severity' in error && 'code' in error) return PASSING_CLASSES.has(String(error.code).slice(0, 2));
  if (error.name === 'ReplyError') return PASSING_REPLIES.test(error.message);
  // What is left: BullMQ's refusals have a number as their code, lost connections a name or none.
  return !('code' in error && typeof error.code === 'number');
}
