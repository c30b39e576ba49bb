/** Beyond this difference, clients of the store would disagree about claims and times in it. */
export const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** The clock of this process compared with the store's. */
export interface ClockState {
  /** Milliseconds that this clock is ahead; negative if behind. */
  readonly aheadMs: number;
  readonly agrees: boolean;
}

/** Compares the clock of this process with the store's until it is closed. */
export interface ClockWatch {
  /**
   * The current state, computed without asking the store, so it can be called for every job. Undefined before the first
   * answer.
   */
  state(): ClockState | undefined;
  /** Resolves once the clocks agree or `signal` is aborted. */
  whenAgreed(signal: AbortSignal): Promise<void>;
  close(): void;
}

interface ClockWatchOptions {
  readonly readStoreMs: () => Promise<number>;
  /** Called when the clocks start or cease to agree, and if they do not agree at first. */
  readonly onChange: (state: ClockState) => void;
  /** Default 1,000. */
  readonly everyMs?: number;
  /** The watched clock, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** A monotonic clock in ms. Default `performance.now`. */
  readonly steady?: () => number;
}

const EVERY_MS = 1_000;
/**
 * An answer that takes longer is too imprecise: continuing the previous answer by the monotonic clock is better. If all
 * answers are slow, on a very busy machine, the measured difference counts only as far as the delay cannot explain it:
 * a worker must not stop claiming because of mere delay.
 */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * Asks the store once a second. In between it continues the store's time by the monotonic clock, so the next call of
 * `state` notices a jump of this process's clock, before jobs are claimed.
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
      // While the store is down, nothing can be claimed either.
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

/** Ends early if the signal is aborted. */
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
