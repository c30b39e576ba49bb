import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './create-logger.js';

interface BackoffOptions {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/**
 * Returns the milliseconds to wait before a retry. `attempt` counts the retries from 1. The delay doubles with each
 * retry up to the maximum. Its upper half is random, so that clients which failed together do not retry together.
 */
export function nextDelayMs(attempt: number, { firstDelayMs, maxDelayMs }: BackoffOptions): number {
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 30));
  return full / 2 + Math.random() * (full / 2);
}

/** Waits for the given time. Resolves early if the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

/**
 * Resolves like the promise. If the promise has not settled after `deadlineMs`, resolves with the result of `late`; a
 * later result of the promise is ignored.
 */
export function withDeadline<Value>(
  promise: Promise<Value>,
  deadlineMs: number,
  late: () => Value,
): Promise<Value> {
  // This is written by hand because it is used for each request, and Promise.race creates three more promises.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, deadlineMs);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

interface RepetitionOptions {
  /** Milliseconds from the end of one run to the start of the next run. */
  readonly everyMs: number;
  /** Abort it to stop the repetition. Failures after that are ignored. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Repeats a task with a pause after each run. The repetition continues after a failure. */
export async function repeat(
  task: () => Promise<void>,
  { everyMs, signal, onError }: RepetitionOptions,
): Promise<void> {
  while (!signal.aborted) {
    await task().catch((error: unknown) => {
      if (!signal.aborted) onError(error);
    });
    await pause(everyMs, signal);
  }
}

/**
 * Returns a function that runs the task. Callers that come while the task is running share the run. With `keeps`, the
 * result is also kept for later callers. A failure goes to the callers of that run and is not kept.
 */
export function shareRun<Value>(task: () => Promise<Value>, { keeps = false } = {}): () => Promise<Value> {
  let run: Promise<Value> | undefined;
  const forget = () => {
    run = undefined;
  };
  return () => {
    if (run === undefined) {
      run = task();
      run.then(keeps ? undefined : forget, forget);
    }
    return run;
  };
}

/** A cached value. It is read again when it is older than a caller accepts. */
interface SharedReading<Value> {
  /** Resolves with a value that was read less than `maxAgeMs` ago. Concurrent callers share one reading. */
  read(maxAgeMs: number): Promise<Value>;
  /** Discards the value and any reading that is still running. Call it after a change. */
  expire(): void;
}

export function shareReading<Value>(read: () => Promise<Value>): SharedReading<Value> {
  let last: { readonly atMs: number; readonly value: Value } | undefined;
  const begin = () => {
    const own = shareRun(async () => {
      const atMs = performance.now();
      const value = await read();
      if (run === own) last = { atMs, value };
      return value;
    });
    return own;
  };
  let run = begin();
  return {
    read: async (maxAgeMs) =>
      last !== undefined && performance.now() - last.atMs < maxAgeMs ? last.value : run(),
    expire: () => {
      last = undefined;
      run = begin();
    },
  };
}

/** Result of the checks that an app makes before it starts. */
interface Fitness {
  /** Reasons why the app must not start; empty if there are none. */
  readonly problems: readonly string[];
  /** Warnings that are logged although the app starts. */
  readonly warnings: readonly string[];
}

interface FitnessOptions<Found extends Fitness> {
  /** Checks if the services are fit for the app. Rejects if a service cannot be reached yet. */
  readonly check: () => Promise<Found>;
  /** Name of the services in the log while they cannot be reached. */
  readonly what: string;
  readonly logger: Logger;
  /** Aborted when the app should end. */
  readonly stopping?: AbortSignal | undefined;
}

const DEADLINE_MS = 60_000;
const BACKOFF: BackoffOptions = { firstDelayMs: 200, maxDelayMs: 5_000 };

class UnfitError extends Error {}

/**
 * Waits up to a minute until the services that an app needs can be reached, because they may start at the same time as
 * the app. If the services can be reached but are unfit, rejects with all problems. Otherwise logs the warnings of the
 * check and resolves with its result.
 */
export async function waitUntilFit<Found extends Fitness>({
  check,
  what,
  logger,
  stopping,
}: FitnessOptions<Found>): Promise<Found> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await check();
      for (const warning of found.warnings) logger.warn(warning);
      if (found.problems.length > 0) throw new UnfitError(found.problems.join('\n'));
      return found;
    } catch (error) {
      if (error instanceof UnfitError || Date.now() > deadline) throw error;
      logger.warn({ error }, `${what} cannot be reached yet`);
      await pause(nextDelayMs(attempt, BACKOFF), stopping);
      if (stopping?.aborted === true) throw new Error(`told to stop while waiting for ${what}`);
    }
  }
}
