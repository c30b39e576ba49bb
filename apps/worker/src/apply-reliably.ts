import { isOfTheData } from '@takt/figures';
import { type Logger, nextDelayMs, pause } from '@takt/run';
import type { EventOutcome } from './event-stream.js';

const BACKOFF = { firstDelayMs: 100, maxDelayMs: 5_000 };

/** The worker closes and waits no longer for database or queue; the events were not taken and go back. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

export interface PersistenceOptions {
  /** Aborted when the worker must not wait any longer. */
  readonly signal: AbortSignal;
  /** Hears of each failure and how many there were; what it throws ends the trying. */
  readonly onError?: (error: unknown, failures: number) => void;
}

/**
 * Tries until `task` succeeds, with backoff, for as long as it takes. Rejects with a GivenUpError once `signal` is
 * aborted: a task that is under way then is not waited for, as it may never settle, but may still take effect; so it
 * must be one that may be done twice.
 */
export async function keepTrying<Result>(
  task: () => Promise<Result>,
  { signal, onError }: PersistenceOptions,
): Promise<Result> {
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
  const givenUp = () => new GivenUpError('closing, waiting no longer for database or queue');
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

interface ReliabilityOptions {
  readonly logger: Logger;
  /** Aborted when the worker must not wait any longer. */
  readonly signal: AbortSignal;
  readonly onFailedAttempt?: () => void;
}

/**
 * Makes `apply` hold whatever happens: while the database is away or refuses for a reason that passes, it waits and
 * tries again, with backoff, for as long as it takes; events that the database cannot take are found by halving
 * and rejected alone, so that their mates are not held up. Rejects only with a GivenUpError.
 */
export function applyReliably<Event>(
  apply: (events: readonly Event[]) => Promise<readonly EventOutcome[]>,
  { logger, signal, onFailedAttempt }: ReliabilityOptions,
): (events: readonly Event[]) => Promise<readonly EventOutcome[]> {
  const attempt = async (events: readonly Event[]): Promise<readonly EventOutcome[]> => {
    const onError = (error: unknown, failures: number) => {
      onFailedAttempt?.();
      if (isOfTheData(error)) throw error;
      logger.warn(
        { error, failures, events: events.length },
        'the database did not take a batch, trying again',
      );
    };
    try {
      return await keepTrying(() => apply(events), { signal, onError });
    } catch (error) {
      if (!isOfTheData(error)) throw error;
      if (events.length === 1) return [{ rejected: `the database cannot hold the event: ${error.message}` }];
    }
    const middle = Math.ceil(events.length / 2);
    const first = await attempt(events.slice(0, middle));
    return [...first, ...(await attempt(events.slice(middle)))];
  };
  return attempt;
}
