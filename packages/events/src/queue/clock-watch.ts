/** How far clocks may be apart; beyond this, claims and times of a queue's store mean different things to its clients. */
export const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** How the clock of this process stands to the store's. */
export interface ClockState {
  /** How far this clock is ahead, in ms; behind is negative. */
  readonly aheadMs: number;
  readonly agrees: boolean;
}

/** Compares the clock of this process with the store's for as long as it is open. */
export interface ClockWatch {
  /** As it is at this moment: without asking the store, so it may be asked for every job. Undefined before the first answer. */
  state(): ClockState | undefined;
  /** Resolves once the clocks agree or `signal` is aborted. */
  whenAgreed(signal: AbortSignal): Promise<void>;
  close(): void;
}

interface ClockWatchOptions {
  readonly readStoreMs: () => Promise<number>;
  /** Hears of each change between agreement and disagreement, and of a first state that is one. */
  readonly onChange: (state: ClockState) => void;
  /** Default 1,000. */
  readonly everyMs?: number;
  /** The clock that is watched, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** One that nobody sets, in ms. Default `performance.now`. */
  readonly steady?: () => number;
}

const EVERY_MS = 1_000;
/**
 * An answer that took longer says too little; the one before it, carried on by the steady clock, says more. Where none
 * was faster, as on a machine that is busy beyond measure, it counts as far as it goes: a worker must not stop claiming
 * for a difference that may all be delay.
 */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * The store is asked once a second. In between, its time is known from a clock that nobody sets, so a jump of this
 * process's clock is seen by the next call of `state`, not a second later, when jobs would be claimed already.
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
      // The store is away; nothing can be claimed there either.
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

/** Ends early where the signal is aborted. */
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
