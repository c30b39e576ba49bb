import { MAX_EVENTS_PER_BATCH } from '../queue/queue-names.js';
import { bytesInBatch } from './plan-jobs.js';
import { MAX_EVENT_BYTES, type PreparedEvent } from './prepare-events.js';

/** Lets the calls that publish to a queue side by side share its jobs. */
export interface EventGatherer {
  /**
   * Adds the events of one call, which must fit one job, in their order; events of other calls may share that job. Settles
   * as the `write` that got them did, and so do the other calls of that job and no further one.
   */
  readonly add: (events: readonly PreparedEvent[]) => Promise<void>;
}

/** What the next job will hold. */
interface Gathering {
  readonly events: PreparedEvent[];
  bytes: number;
  calls: number;
  readonly written: Promise<void>;
  readonly settleAs: (outcome: Promise<void>) => void;
}

/**
 * While calls come side by side, an addition begins when none has come for this long: fifty callers who each await their
 * call have all come by then.
 */
const QUIET_MS = 3;
/** How far apart additions begin at most while there is no such pause, unless the one before takes longer. */
const GATHER_MS = 15;

/** What decides when the next addition may begin, in the time of performance.now(). */
export interface Pace {
  /** Calls came while the addition before was under way, or shared it. */
  readonly isCrowded: boolean;
  /** Of the addition before. */
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly newestCallAtMs: number;
}

/**
 * When the next addition may begin. Who awaits each call has nobody to wait for, nor has the first call after a while.
 * To wait only for the addition under way, half a millisecond on Redis, gave two events a job where each event came by
 * itself.
 */
export function dueAtMs({ isCrowded, beganAtMs, endedAtMs, newestCallAtMs }: Pace): number {
  if (!isCrowded) return newestCallAtMs;
  return Math.min(newestCallAtMs + QUIET_MS, Math.max(beganAtMs + GATHER_MS, endedAtMs + QUIET_MS));
}

/**
 * Gathers for one queue. A call that comes alone is handed to `write` in the same turn of the event loop, what comes
 * while `write` is under way as one job after it, and what fills a job at once.
 */
export function createEventGatherer(
  write: (events: readonly PreparedEvent[]) => Promise<void>,
): EventGatherer {
  let gathering: Gathering | undefined;
  let underWay = 0;
  const pace = { isCrowded: false, beganAtMs: 0, endedAtMs: 0, newestCallAtMs: 0 };
  let isScheduled = false;

  const send = () => {
    if (gathering === undefined) return;
    const { events, calls, settleAs } = gathering;
    gathering = undefined;
    underWay += 1;
    pace.beganAtMs = performance.now();
    settleAs(write(events).finally(() => afterwards(calls)));
  };
  const afterwards = (calls: number) => {
    underWay -= 1;
    pace.endedAtMs = performance.now();
    pace.isCrowded = gathering !== undefined || calls > 1;
    schedule();
  };
  const schedule = () => {
    if (gathering === undefined || underWay > 0 || isScheduled) return;
    isScheduled = true;
    const waitMs = dueAtMs(pace) - performance.now();
    if (waitMs > 0) {
      setTimeout(sendIfDue, waitMs);
    } else {
      setImmediate(sendIfIdle);
    }
  };
  const sendIfIdle = () => {
    isScheduled = false;
    if (underWay === 0) send();
  };
  const sendIfDue = () => {
    // Calls that came meanwhile may have moved it.
    if (dueAtMs(pace) <= performance.now()) {
      sendIfIdle();
    } else {
      isScheduled = false;
      schedule();
    }
  };

  return {
    add: (events) => {
      const bytes = bytesInBatch(events);
      if (gathering !== undefined && !hasRoom(gathering, events.length, bytes)) send();
      gathering ??= beginGathering();
      gathering.events.push(...events);
      gathering.bytes += bytes;
      gathering.calls += 1;
      pace.newestCallAtMs = performance.now();
      const { written } = gathering;
      if (!hasRoom(gathering, 1, 1)) send();
      schedule();
      return written;
    },
  };
}

function beginGathering(): Gathering {
  let settleAs: Gathering['settleAs'] = () => undefined;
  const written = new Promise<void>((resolve) => {
    settleAs = resolve;
  });
  return { events: [], bytes: 0, calls: 0, written, settleAs };
}

function hasRoom(gathering: Gathering, events: number, bytes: number): boolean {
  return (
    gathering.events.length + events <= MAX_EVENTS_PER_BATCH && gathering.bytes + bytes <= MAX_EVENT_BYTES
  );
}
