import type { SampledState, SlowState } from './read-state.js';

/** How Takt stood at a moment. */
export interface Sample extends SampledState {
  /** In ms since 1970. */
  readonly atMs: number;
  readonly slow: SlowState;
}

export interface Sampler {
  /** As of a short while ago; asks where nobody has looked for longer. Rejects where the database does not answer. */
  read(): Promise<Sample>;
  /** The next sample that is taken; undefined where it could not be, or where the sampler is closed. */
  next(): Promise<Sample | undefined>;
  /** Something was changed: who reads from now on is to see it. */
  expire(): void;
  close(): void;
}

export interface SamplerOptions {
  readonly readQuick: () => Promise<SampledState>;
  readonly readSlow: () => Promise<SlowState>;
  readonly onError: (error: unknown) => void;
  /** Between two samples while somebody watches; default 2,000. */
  readonly everyMs?: number;
}

const DEFAULT_EVERY_MS = 2_000;
const SLOW_EVERY_MS = 10_000;

/** Looks at queues and database once for all who watch, and not at all while nobody does. */
export function createSampler(options: SamplerOptions): Sampler {
  const { readQuick, readSlow, onError, everyMs = DEFAULT_EVERY_MS } = options;
  let waiting: ((sample: Sample | undefined) => void)[] = [];
  let slow: { readonly atMs: number; readonly state: SlowState } | undefined;
  let last: Sample | undefined;
  let taking: Promise<Sample> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const take = async (): Promise<Sample> => {
    const atMs = Date.now();
    if (slow === undefined || Math.abs(atMs - slow.atMs) > SLOW_EVERY_MS) {
      slow = { atMs, state: await readSlow() };
    }
    return { atMs, ...(await readQuick()), slow: slow.state };
  };
  const takeOnce = () => {
    if (taking !== undefined) return taking;
    const own = take();
    taking = own;
    const forget = () => {
      if (taking === own) taking = undefined;
    };
    own.then((sample) => {
      if (taking === own) last = sample;
      forget();
    }, forget);
    return own;
  };
  const tell = (sample: Sample | undefined) => {
    const told = waiting;
    waiting = [];
    for (const tellOne of told) tellOne(sample);
  };
  const turn = async () => {
    timer = undefined;
    try {
      tell(await takeOnce());
    } catch (error) {
      onError(error);
      tell(undefined);
    }
  };
  return {
    read: () => {
      const isFresh = last !== undefined && Math.abs(Date.now() - last.atMs) < 2 * everyMs;
      return isFresh && last !== undefined ? Promise.resolve(last) : takeOnce();
    },
    next: () =>
      new Promise((resolve) => {
        if (isClosed) {
          resolve(undefined);
          return;
        }
        waiting.push(resolve);
        timer ??= setTimeout(() => void turn(), everyMs).unref();
      }),
    expire: () => {
      last = undefined;
      // One that is under way may not show what was changed.
      taking = undefined;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      tell(undefined);
    },
  };
}
