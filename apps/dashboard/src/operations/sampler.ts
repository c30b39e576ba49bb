import type { WorkerReport } from '@takt/run/monitoring';
import type { QuickState, SlowState } from './read-state.js';

/** A moment of the charts. */
export interface Point {
  /** In ms since 1970. */
  readonly atMs: number;
  /** Undefined until workers have reported twice. */
  readonly rates: Rates | undefined;
  /** In seconds; the longest over workers and queues, null without events. */
  readonly completionLagSeconds: number | null;
  readonly publishingLagSeconds: number | null;
  readonly waitingJobs: number;
}

export interface Sample extends Point, QuickState {
  readonly slow: SlowState;
  /** The last minutes, the oldest first; this moment is the last. */
  readonly history: readonly Point[];
}

export interface Sampler {
  /** As of a short while ago; asks where nobody has looked for longer. Rejects where database or queue do not answer. */
  read(): Promise<Sample>;
  /** The next sample that is taken; undefined where it could not be, or where the sampler is closed. */
  next(): Promise<Sample | undefined>;
  close(): void;
}

export interface SamplerOptions {
  readonly readQuick: () => Promise<QuickState>;
  readonly readSlow: () => Promise<SlowState>;
  readonly onError: (error: unknown) => void;
  /** Between two samples; default 2,000. */
  readonly everyMs?: number;
}

const DEFAULT_EVERY_MS = 2_000;
const SLOW_EVERY_MS = 10_000;
/** What the charts show. */
export const HISTORY_MS = 5 * 60_000;
/** Sampling goes on for so long after somebody has looked: who reloads a page wants to know what happened meanwhile. */
const IDLE_AFTER_MS = 120_000;

/**
 * Looks at queues and database once for all who watch, and not at all while nobody does. The charts begin where somebody
 * began to look.
 */
export function createSampler(options: SamplerOptions): Sampler {
  const { readQuick, readSlow, onError, everyMs = DEFAULT_EVERY_MS } = options;
  const measure = createRateMeter();
  let waiting: ((sample: Sample | undefined) => void)[] = [];
  let history: readonly Point[] = [];
  let slow: { readonly atMs: number; readonly state: SlowState } | undefined;
  let last: Sample | undefined;
  let taking: Promise<Sample> | undefined;
  let lookedAtMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const take = async (): Promise<Sample> => {
    const atMs = Date.now();
    if (slow === undefined || Math.abs(atMs - slow.atMs) > SLOW_EVERY_MS) {
      slow = { atMs, state: await readSlow() };
    }
    const quick = await readQuick();
    const point = { ...pointOf(atMs, quick), rates: measure(quick.reports) };
    history = [...history.filter((one) => one.atMs > atMs - HISTORY_MS && one.atMs < atMs), point];
    last = { ...point, ...quick, slow: slow.state, history };
    return last;
  };
  const takeOnce = () => {
    taking ??= take().finally(() => {
      taking = undefined;
    });
    return taking;
  };
  const tell = (sample: Sample | undefined) => {
    const told = waiting;
    waiting = [];
    for (const tellOne of told) tellOne(sample);
  };
  const turn = async () => {
    try {
      tell(await takeOnce());
    } catch (error) {
      onError(error);
      tell(undefined);
    }
    schedule();
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = undefined;
    const isIdle = waiting.length === 0 && performance.now() - lookedAtMs > IDLE_AFTER_MS;
    if (!isClosed && !isIdle) timer = setTimeout(() => void turn(), everyMs).unref();
  };
  const look = () => {
    lookedAtMs = performance.now();
    if (timer === undefined) schedule();
  };
  return {
    read: () => {
      look();
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
        look();
      }),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      tell(undefined);
    },
  };
}

function pointOf(atMs: number, { queues, reports }: QuickState): Omit<Point, 'rates'> {
  return {
    atMs,
    completionLagSeconds: longest(reports.map(({ completionLagSeconds }) => completionLagSeconds)),
    publishingLagSeconds: longest(reports.map(({ publishingLagSeconds }) => publishingLagSeconds)),
    waitingJobs: queues.reduce((sum, { waiting }) => sum + waiting, 0),
  };
}

function longest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export const OUTCOMES = ['applied', 'duplicate', 'stale', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Events a second. */
export type Rates = Readonly<Record<Outcome, number>>;

interface Remembered {
  readonly report: WorkerReport;
  /** Undefined until there are two reports of it. */
  readonly rates: Rates | undefined;
}

/** Takes the reports of all workers as they are read, and gives what happens a second over all of them. */
export function createRateMeter(): (reports: readonly WorkerReport[]) => Rates | undefined {
  let known = new Map<string, Remembered>();
  return (reports) => {
    const next = new Map<string, Remembered>();
    for (const report of reports) {
      const key = `${report.workerId} ${report.queue}`;
      next.set(key, remember(known.get(key), report));
    }
    known = next;
    const measured = [...next.values()].flatMap(({ rates }) => (rates === undefined ? [] : [rates]));
    // While only some of the workers have been seen twice, the sum would be too low.
    if (reports.length > 0 && measured.length === 0) return undefined;
    return {
      applied: sumOf(measured, 'applied'),
      duplicate: sumOf(measured, 'duplicate'),
      stale: sumOf(measured, 'stale'),
      rejected: sumOf(measured, 'rejected'),
    };
  };
}

function remember(before: Remembered | undefined, report: WorkerReport): Remembered {
  if (before === undefined) return { report, rates: undefined };
  const seconds = (report.seenAt.getTime() - before.report.seenAt.getTime()) / 1_000;
  if (seconds <= 0) return before;
  const rateOf = (outcome: Outcome) => Math.max(0, (report[outcome] - before.report[outcome]) / seconds);
  return {
    report,
    rates: {
      applied: rateOf('applied'),
      duplicate: rateOf('duplicate'),
      stale: rateOf('stale'),
      rejected: rateOf('rejected'),
    },
  };
}

function sumOf(rates: readonly Rates[], outcome: Outcome): number {
  return rates.reduce((sum, one) => sum + one[outcome], 0);
}
