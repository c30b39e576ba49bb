import { type Logger, nextDelayMs, pause } from '@takt/runtime';
import { classifyFailure } from './classify-failure.js';
import type { EventOutcome } from './event-outcome.js';
import { GivenUpError, unlessAborted } from './unless-aborted.js';

const BACKOFF = { firstDelayMs: 100, maxDelayMs: 5_000 };

export interface ReliabilityOptions {
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
    for (let failures = 1; ; failures++) {
      try {
        return await unlessAborted(signal, () => apply(events));
      } catch (error) {
        if (error instanceof GivenUpError) throw error;
        onFailedAttempt?.();
        const failure = classifyFailure(error);
        if (failure.isOfTheData) return isolate(events, failure.reason);
        logger.warn(
          { error, failures, events: events.length },
          'the database did not take a batch, trying again',
        );
        await pause(nextDelayMs(failures, BACKOFF), signal);
      }
    }
  };
  const isolate = async (events: readonly Event[], reason: string): Promise<readonly EventOutcome[]> => {
    if (events.length === 1) return [{ rejected: reason }];
    const middle = Math.ceil(events.length / 2);
    const first = await attempt(events.slice(0, middle));
    return [...first, ...(await attempt(events.slice(middle)))];
  };
  return attempt;
}
