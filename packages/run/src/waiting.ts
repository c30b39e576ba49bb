import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './create-logger.js';

interface BackoffOptions {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/**
 * How long to wait before attempt `attempt` (1 is the first repetition): doubled each time up to the maximum, of
 * which the upper half is random, so that many who failed together do not come back together.
 */
export function nextDelayMs(attempt: number, { firstDelayMs, maxDelayMs }: BackoffOptions): number {
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 30));
  return full / 2 + Math.random() * (full / 2);
}

/** Waits; ends early, without an error, when the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

/** The promise, or after `deadlineMs` what `late` gives or throws; the promise's own end is then of no effect. */
export function withDeadline<Value>(
  promise: Promise<Value>,
  deadlineMs: number,
  late: () => Value,
): Promise<Value> {
  // By hand: every request has one, and Promise.race takes three promises more.
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
  /** From the end of one turn to the next. */
  readonly everyMs: number;
  /** Aborted when it is to end; what fails from then on is told to nobody. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Does a task again and again, so long after each end, however often it fails. */
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
 * One run of a task for all who ask while it is under way; with `keeps`, also for all who ask after it has succeeded. A
 * failure is told to those who asked, and not kept.
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

/** A value that is read again once it is older than a caller accepts. */
interface SharedReading<Value> {
  /** The value, read less than `maxAgeMs` ago. One reading serves all who ask while it is under way. */
  read(maxAgeMs: number): Promise<Value>;
  /** Something was changed: nobody gets from now on what was read, or began to be read, before. */
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

/** The foundation of an app, as it is found. */
interface Fitness {
  /** Why the app cannot start on it; empty when it can. */
  readonly problems: readonly string[];
  /** To be said loudly; the app starts all the same. */
  readonly warnings: readonly string[];
}

interface FitnessOptions<Found extends Fitness> {
  /** Rejects where something cannot be reached yet. */
  readonly check: () => Promise<Found>;
  /** Names what cannot be reached, for the log. */
  readonly what: string;
  readonly logger: Logger;
  /** Aborted when the app is to end. */
  readonly stopping?: AbortSignal | undefined;
}

const DEADLINE_MS = 60_000;
const BACKOFF: BackoffOptions = { firstDelayMs: 200, maxDelayMs: 5_000 };

class UnfitError extends Error {}

/**
 * An app that starts together with what it needs waits for it, for a minute. Rejects with all that is wrong where it
 * is there but cannot be used; gives what was found where it can, its warnings said.
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
