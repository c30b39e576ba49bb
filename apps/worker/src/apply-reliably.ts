import { setMaxListeners } from 'node:events';
import type { EventProblem } from '@takt/events';
import { eventProblem, quote, words } from '@takt/events/internal';
import { isOfTheData } from '@takt/figures';
import { type Logger, nextDelayMs, pause } from '@takt/run';

const BACKOFF = { firstDelayMs: 100, maxDelayMs: 5_000 };

/**
 * Thrown when the worker is closing and no longer waits for the database or a queue. The events were not applied; they
 * return to their queue.
 */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

export interface PersistenceOptions {
  readonly signal: AbortSignal;
  /**
   * Called after each failure with the error and the number of failures so far. If it throws, there are no more
   * retries.
   */
  readonly onError?: (error: unknown, failures: number) => void;
}

/**
 * Retries `task` with growing delays until the task succeeds. Rejects with a GivenUpError once `signal` is aborted. A
 * task that is running then may never settle, so it is abandoned. It may still take effect, so the task must be safe to
 * repeat.
 */
export async function keepTrying<Result>(
  task: () => Promise<Result>,
  { signal, onError }: PersistenceOptions,
): Promise<Result> {
  // A worker waits with one signal for all its jobs. Node.js would warn of a leak from the eleventh listener on.
  setMaxListeners(0, signal);
  for (let failures = 1; ; failures++) {
    try {
      return await unlessAborted(signal, task);
    } catch (error) {
      if (error instanceof GivenUpError) throw error;
      onError?.(error, failures);
      await pause(nextDelayMs(failures, BACKOFF), signal);
    }
  }
}

async function unlessAborted<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
  const givenUp = () => new GivenUpError('closing, no longer waiting for database or queue');
  if (signal.aborted) throw givenUp();
  let abandon: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abandon = () => reject(givenUp());
    signal.addEventListener('abort', abandon);
  });
  try {
    return await Promise.race([task(), aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

interface ReliabilityOptions<Item> {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly onFailedAttempt?: () => void;
  /** Returns an item that breaks a rule, for an item that the database cannot store. */
  readonly reject: (item: Item, problem: EventProblem) => Item;
}

/**
 * Makes `apply` reliable. While the database is unavailable or refuses temporarily, retries with growing delays,
 * without a limit. Items that the database cannot store are found by bisection and rejected alone, so that they do not
 * block other events. Rejects with a GivenUpError, or if also the rejection of an item cannot be stored.
 */
export function applyReliably<Item, Outcome>(
  apply: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  { logger, signal, onFailedAttempt, reject }: ReliabilityOptions<Item>,
): (items: readonly Item[]) => Promise<readonly Outcome[]> {
  const attempt = (items: readonly Item[]) =>
    keepTrying(() => apply(items), {
      signal,
      onError: (error, failures) => {
        onFailedAttempt?.();
        if (isOfTheData(error)) throw error;
        logger.warn(
          { error, failures, events: items.length },
          'the database did not take a batch, trying again',
        );
      },
    });
  const bisect = async (items: readonly Item[]): Promise<readonly Outcome[]> => {
    try {
      return await attempt(items);
    } catch (error) {
      if (!isOfTheData(error)) throw error;
      const [only, ...others] = items;
      if (only !== undefined && others.length === 0) {
        const rule = words('must be an event that the database can store');
        return attempt([reject(only, eventProblem('', rule, quote(error.message)))]);
      }
    }
    const middle = Math.ceil(items.length / 2);
    const first = await bisect(items.slice(0, middle));
    return [...first, ...(await bisect(items.slice(middle)))];
  };
  return bisect;
}
