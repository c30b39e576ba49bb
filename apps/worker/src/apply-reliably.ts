import type { Logger } from '@takt/runtime';
import pg from 'pg';
import type { EventOutcome } from './event-stream.js';
import { keepTrying } from './keep-trying.js';

export interface ReliabilityOptions {
  readonly logger: Logger;
  /** Aborted when the worker must not wait any longer. */
  readonly signal: AbortSignal;
  readonly onFailedAttempt?: () => void;
}

/**
 * SQLSTATE classes with which PostgreSQL says that a value is at fault: data exception, integrity constraint
 * violation, program limit exceeded. All else (no connection, shutdown, deadlock, time-out, missing privilege or
 * table) passes or is mended by an operator, and the events are kept until then.
 */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54']);

/** Whether trying the same events again cannot help, because one of them is at fault. */
export function isOfTheData(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && DATA_CLASSES.has((error.code ?? '').slice(0, 2));
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
    const onFailure = (error: unknown, failures: number) => {
      onFailedAttempt?.();
      if (isOfTheData(error)) throw error;
      logger.warn(
        { error, failures, events: events.length },
        'the database did not take a batch, trying again',
      );
    };
    try {
      return await keepTrying(() => apply(events), { signal, onFailure });
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
