/**
 * Maximum difference between two clocks that counts as agreement. With a larger difference, the clients of a store
 * would disagree about claims and about the times in the store.
 */
export const MAX_CLOCK_DIFFERENCE_MS = 2_000;

export interface ClockState {
  /** Milliseconds by which the clock of this process is ahead of the store's clock; negative if it is behind. */
  readonly aheadMs: number;
  readonly agrees: boolean;
}

/** Compares the clock of this process with the store's until it is closed. */
export interface ClockWatch {
  /**
   * Returns the current state. The state is computed without asking the store, so the method may be called for every
   * job. Returns undefined until the store has answered for the first time.
   */
  state(): ClockState | undefined;
  /** Resolves once the clocks agree or `signal` is aborted. */
  whenAgreed(signal: AbortSignal): Promise<void>;
  close(): void;
}

interface ClockWatchOptions {
  readonly readStoreMs: () => Promise<number>;
  /**
   * Called when the clocks begin or cease to agree. Also called for the first comparison if the clocks do not agree.
   */
  readonly onChange: (state: ClockState) => void;
  /** Interval in milliseconds at which the store is asked for its time. Default 1,000. */
  readonly everyMs?: number;
  /** The clock to compare with the store's clock, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** A monotonic clock in ms, used to continue the store's time between two answers. Default `performance.now`. */
  readonly steady?: () => number;
}

const EVERY_MS = 1_000;
/**
 * Maximum time until an answer of the store. A slower answer is too imprecise; it is better to continue from the
 * previous answer by the monotonic clock. If all answers are slow because the machine is very busy, only the part of
 * the measured difference counts that the delay cannot explain, because a worker must not stop claiming merely because
 * of delay.
 */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * Asks the store for its time once a second. Between the answers, the store's time is continued by the monotonic clock.
 * So if the clock of this process jumps, the next call of `state` notices it before jobs are claimed.
 */
export function watchClock(options: ClockWatchOptions): ClockWatch {
  const { readStoreMs, onChange, everyMs = EVERY_MS } = options;
  const { now = Date.now, steady = () => performance.now() } = options;
  let known: { readonly storeAheadOfSteadyMs: number; readonly uncertainMs: number } | undefined;
  let didAgree = true;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const state = () => {
    if (known === undefined) return undefined;
    const aheadMs = now() - (steady() + known.storeAheadOfSteadyMs);
    const current = { aheadMs, agrees: Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS + known.uncertainMs };
    if (current.agrees !== didAgree) {
      didAgree = current.agrees;
      onChange(current);
    }
    return current;
  };
  const compare = async () => {
    try {
      const sentAt = steady();
      const storeMs = await readStoreMs();
      const receivedAt = steady();
      const uncertainMs = Math.max(0, receivedAt - sentAt - MAX_ROUND_TRIP_MS) / 2;
      if (known === undefined || uncertainMs <= known.uncertainMs) {
        known = { storeAheadOfSteadyMs: storeMs - (sentAt + receivedAt) / 2, uncertainMs };
      }
    } catch {
      // An error can be ignored here: while the store is down, no jobs can be claimed anyway.
    }
    state();
    if (!isClosed) timer = setTimeout(() => void compare(), everyMs);
  };
  void compare();

  return {
    state,
    whenAgreed: async (signal) => {
      while (!signal.aborted && state()?.agrees !== true) await shortPause(signal);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const LOOK_MS = 50;

/** Pauses for a short time, or until the signal is aborted. */
function shortPause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, LOOK_MS);
    signal.addEventListener('abort', end);
  });
}
