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
  readonly written: Promise<void>;
  readonly settleAs: (outcome: Promise<void>) => void;
}

/**
 * How far apart additions begin while calls come side by side. To wait only for the addition under way, half a
 * millisecond on Redis, gave two events a job where each event came by itself.
 */
const GATHER_MS = 3;

/**
 * Gathers for one queue. A call that comes alone is handed to `write` in the same turn of the event loop, what comes
 * while `write` is under way as one job after it, and what fills a job at once.
 */
export function createEventGatherer(
  write: (events: readonly PreparedEvent[]) => Promise<void>,
): EventGatherer {
  let gathering: Gathering | undefined;
  let underWay = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  // Whether calls came while the addition before was under way: one caller who awaits each call never waits for others.
  let isCrowded = false;
  let isScheduled = false;

  const send = () => {
    if (gathering === undefined) return;
    const { events, settleAs } = gathering;
    gathering = undefined;
    underWay += 1;
    sentAt = performance.now();
    settleAs(write(events).finally(afterwards));
  };
  const afterwards = () => {
    underWay -= 1;
    isCrowded = gathering !== undefined;
    schedule();
  };
  const schedule = () => {
    if (gathering === undefined || underWay > 0 || isScheduled) return;
    isScheduled = true;
    const waitMs = isCrowded ? sentAt + GATHER_MS - performance.now() : 0;
    if (waitMs > 0) {
      setTimeout(sendIfIdle, waitMs);
    } else {
      setImmediate(sendIfIdle);
    }
  };
  const sendIfIdle = () => {
    isScheduled = false;
    if (underWay === 0) send();
  };

  return {
    add: (events) => {
      const bytes = bytesInBatch(events);
      if (gathering !== undefined && !hasRoom(gathering, events.length, bytes)) send();
      gathering ??= beginGathering();
      gathering.events.push(...events);
      gathering.bytes += bytes;
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
  return { events: [], bytes: 0, written, settleAs };
}

function hasRoom(gathering: Gathering, events: number, bytes: number): boolean {
  return (
    gathering.events.length + events <= MAX_EVENTS_PER_BATCH && gathering.bytes + bytes <= MAX_EVENT_BYTES
  );
}
