import type { HttpLimits } from './limits.js';
import type { Slices } from './slices.js';

/** Requests that wait for their turn, and those in work. */
export interface Admission {
  /**
   * Takes a request in, or says that it could not be answered in time. `work` is called when it is its turn and ends when
   * the answer is made; `expire` instead, where the turn came too late for that.
   */
  enter(entry: AdmissionEntry): boolean;
}

export interface AdmissionEntry {
  /** Remote address of the client. */
  readonly address: string;
  /** Until when work must have begun to be of use, in the time of performance.now(). */
  readonly latestStartMs: number;
  readonly work: () => Promise<unknown>;
  readonly expire: () => void;
}

export type AdmissionLimits = Pick<
  HttpLimits,
  'maxInFlight' | 'maxInFlightPerAddress' | 'maxRunning' | 'maxWaitMs'
>;

/** What one more request changes in the average. */
const WEIGHT = 0.05;

interface Waiting extends AdmissionEntry {
  readonly sinceMs: number;
}

/**
 * Takes what can be answered soon, and leaves what cannot to be refused at once, which costs a fiftieth of an answer. A
 * fixed number of waiting requests would be too few for fast ones and too many for slow ones, so the wait is foretold: what
 * waits, times the measured time between two that ended while others waited. Where nothing ends any more, it is the time
 * that the first has waited already.
 *
 * Requests are begun in slices of the event loop, whatever they are: so many that need no database cannot keep it from
 * refusing in time either.
 */
export function createAdmission(limits: AdmissionLimits, slices: Slices): Admission {
  const { maxInFlight, maxInFlightPerAddress, maxRunning, maxWaitMs } = limits;
  const queue: Waiting[] = [];
  const inFlight = new Map<string, number>();
  let running = 0;
  let isScheduled = false;
  let lastEndMs: number | undefined;
  let intervalMs = 0;

  const isFull = (address: string, nowMs: number) =>
    queue.length + running >= maxInFlight ||
    (inFlight.get(address) ?? 0) >= maxInFlightPerAddress ||
    queue.length * intervalMs > maxWaitMs ||
    nowMs - (queue[0]?.sinceMs ?? nowMs) > maxWaitMs;

  const count = (address: string, change: number) => {
    const now = (inFlight.get(address) ?? 0) + change;
    if (now === 0) {
      inFlight.delete(address);
    } else {
      inFlight.set(address, now);
    }
  };

  const end = (address: string) => {
    running -= 1;
    count(address, -1);
    const nowMs = performance.now();
    if (lastEndMs !== undefined) intervalMs += (nowMs - lastEndMs - intervalMs) * WEIGHT;
    // An interval in which nobody waited tells of the demand, not of what can be done.
    lastEndMs = queue.length > 0 ? nowMs : undefined;
    schedule();
  };

  const begin = ({ address, latestStartMs, work, expire }: Waiting) => {
    if (performance.now() > latestStartMs) {
      count(address, -1);
      expire();
      return;
    }
    running += 1;
    const ended = () => end(address);
    work().then(ended, ended);
  };

  const schedule = () => {
    if (isScheduled || queue.length === 0 || running >= maxRunning) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const sliceEndsAtMs = slices.nextEndMs();
      do {
        const next = queue.shift();
        if (next === undefined) break;
        begin(next);
      } while (running < maxRunning && performance.now() < sliceEndsAtMs);
      schedule();
    });
  };

  return {
    enter: (entry) => {
      const sinceMs = performance.now();
      if (isFull(entry.address, sinceMs)) return false;
      count(entry.address, 1);
      queue.push({ ...entry, sinceMs });
      schedule();
      return true;
    },
  };
}
