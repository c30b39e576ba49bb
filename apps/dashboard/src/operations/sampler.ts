import { pause, shareRun } from '@takt/run';
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
  const closing = new AbortController();
  let slow: { readonly atMs: number; readonly state: SlowState } | undefined;
  let last: Sample | undefined;

  const beginTaking = () => {
    const own = shareRun(async () => {
      const atMs = Date.now();
      if (slow === undefined || Math.abs(atMs - slow.atMs) > SLOW_EVERY_MS) {
        slow = { atMs, state: await readSlow() };
      }
      const sample = { atMs, ...(await readQuick()), slow: slow.state };
      if (take === own) last = sample;
      return sample;
    });
    return own;
  };
  let take: () => Promise<Sample> = beginTaking();
  const next = shareRun(async () => {
    await pause(everyMs, closing.signal);
    if (closing.signal.aborted) return undefined;
    return take().catch((error: unknown) => {
      onError(error);
      return undefined;
    });
  });
  return {
    read: async () => (last !== undefined && Math.abs(Date.now() - last.atMs) < 2 * everyMs ? last : take()),
    next,
    expire: () => {
      last = undefined;
      // A sample that is under way may not show what was changed.
      take = beginTaking();
    },
    close: () => closing.abort(),
  };
}
