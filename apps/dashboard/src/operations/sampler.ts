import { once } from 'node:events';
import { pause, shareReading, shareRun } from '@takt/run';
import type { SampledState, SlowState } from './read-state.js';

/** The state at one moment. */
export interface Sample extends SampledState {
  /** Time of the sample in ms since 1970. */
  readonly atMs: number;
  readonly slow: SlowState;
}

export interface Sampler {
  /**
   * Returns a recent sample. If the last sample is too old, takes a new one. Rejects if the database does not answer.
   */
  read(): Promise<Sample>;
  /** Waits for the next sample. Returns undefined if taking the sample fails, or if the sampler is closed. */
  next(): Promise<Sample | undefined>;
  /** Discards the present sample. To be called after a change. */
  expire(): void;
  close(): void;
}

interface SamplerOptions {
  readonly readQuick: () => Promise<SampledState>;
  readonly readSlow: () => Promise<SlowState>;
  readonly onError: (error: unknown) => void;
  /** Interval in ms between samples while somebody watches. Default 2,000. */
  readonly everyMs?: number;
}

const DEFAULT_EVERY_MS = 2_000;
const SLOW_EVERY_MS = 10_000;

/** Creates a sampler. It reads the state once for all watchers, and does not read it while nobody watches. */
export function createSampler(options: SamplerOptions): Sampler {
  const { readQuick, readSlow, onError, everyMs = DEFAULT_EVERY_MS } = options;
  const closing = new AbortController();
  const slow = shareReading(readSlow);
  const sample = shareReading(async (): Promise<Sample> => {
    const atMs = Date.now();
    const state = await slow.read(SLOW_EVERY_MS);
    return { atMs, ...(await readQuick()), slow: state };
  });
  const next = shareRun(async () => {
    await pause(everyMs, closing.signal);
    if (closing.signal.aborted) return undefined;
    const reading = sample.read(0).catch((error: unknown) => {
      if (!closing.signal.aborted) onError(error);
      return undefined;
    });
    // When the sampler closes, all watchers are released at once.
    const settled = new AbortController();
    const closed = once(closing.signal, 'abort', settled).then(
      () => undefined,
      () => undefined,
    );
    return Promise.race([reading, closed]).finally(() => settled.abort());
  });
  return {
    read: () => sample.read(2 * everyMs),
    next,
    expire: sample.expire,
    close: () => closing.abort(),
  };
}
