import { nextDelayMs, pause } from '@takt/runtime';

const BACKOFF = { firstDelayMs: 100, maxDelayMs: 5_000 };

/** The worker closes and waits no longer for database or queue; the events were not taken and go back. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

export interface PersistenceOptions {
  /** Aborted when the worker must not wait any longer. */
  readonly signal: AbortSignal;
  /** Hears of each failure and how many there were; what it throws ends the trying. */
  readonly onFailure?: (error: unknown, failures: number) => void;
}

/**
 * Tries until `task` succeeds, with backoff, for as long as it takes. Rejects with a GivenUpError once `signal` is
 * aborted: a task that is under way then is not waited for, as it may never settle, but may still take effect; so it
 * must be one that may be done twice.
 */
export async function keepTrying<Result>(
  task: () => Promise<Result>,
  { signal, onFailure }: PersistenceOptions,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await unlessAborted(signal, task);
    } catch (error) {
      if (error instanceof GivenUpError) throw error;
      onFailure?.(error, failures);
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
