import { createHash } from 'node:crypto';
import { queueOf } from '../event-types/event-definitions.js';
import { BATCH_JOB_NAME, MAX_EVENTS_PER_BATCH, type QueueName } from '../queue/queue-names.js';
import { MAX_EVENT_BYTES, type PreparedEvent } from './prepare-events.js';

/** A job as BullMQ's addBulk takes it. */
export interface PlannedJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: {
    readonly jobId: string;
    readonly removeOnComplete: true;
    readonly removeOnFail: false;
    readonly attempts: 1;
  };
}

/**
 * Gives the jobs for events of one queue, in their order: one job an event, or with a `batchSize` above 1
 * one job for each array of up to that many, and of no more bytes than an event may take. The same events give the same job ids.
 */
export function planJobs(events: readonly PreparedEvent[], batchSize: number): PlannedJob[] {
  return batchSize === 1 ? events.map(toJob) : batchesOf(events, batchSize).map(toBatchJob);
}

/** Whether one job may hold all of them. */
export function fitsOneJob(events: readonly PreparedEvent[]): boolean {
  return events.length <= MAX_EVENTS_PER_BATCH && bytesInBatch(events) <= MAX_EVENT_BYTES;
}

/** Cuts a list into pieces of `size`, the last of which may be shorter. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) {
    chunks.push(items.slice(start, start + size));
  }
  return chunks;
}

/** What events take in the data of a batch job, without its brackets. */
export function bytesInBatch(events: readonly PreparedEvent[]): number {
  return events.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
}

function batchesOf(events: readonly PreparedEvent[], batchSize: number): PreparedEvent[][] {
  const batches: PreparedEvent[][] = [];
  let current: PreparedEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const eventBytes = bytesInBatch([event]);
    if (current.length === 0 || current.length === batchSize || bytes + eventBytes > MAX_EVENT_BYTES) {
      current = [];
      bytes = 0;
      batches.push(current);
    }
    current.push(event);
    bytes += eventBytes;
  }
  return batches;
}

/** The events of each queue, in the order in which they come. */
export function groupByQueue(events: readonly PreparedEvent[]): Map<QueueName, PreparedEvent[]> {
  const groups = new Map<QueueName, PreparedEvent[]>();
  for (const event of events) {
    const queue = queueOf(event.type);
    const group = groups.get(queue) ?? [];
    group.push(event);
    groups.set(queue, group);
  }
  return groups;
}

function toJob({ type, data, text }: PreparedEvent): PlannedJob {
  return { name: type, data, opts: optionsFor([text]) };
}

function toBatchJob(events: readonly PreparedEvent[]): PlannedJob {
  return {
    name: BATCH_JOB_NAME,
    data: events.map(({ data }) => data),
    opts: optionsFor(events.map(({ text }) => text)),
  };
}

function optionsFor(texts: readonly string[]): PlannedJob['opts'] {
  return { jobId: jobIdOf(texts), removeOnComplete: true, removeOnFail: false, attempts: 1 };
}

// Derived from the content, so that adding again what may have been added before does not double it. BullMQ
// allows neither colons nor bare digits. 128 bits keep accidental collisions out of reach.
function jobIdOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) {
    hash.update(text).update('\n');
  }
  return `e-${hash.digest('base64url').slice(0, 22)}`;
}

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
