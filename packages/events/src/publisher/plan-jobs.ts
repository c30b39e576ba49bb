import { createHash } from 'node:crypto';
import { queueOf } from '../event-types/event-definitions.js';
import { BATCH_JOB_NAME, MAX_EVENTS_PER_BATCH, type QueueName } from '../queue/queue-names.js';
import { MAX_EVENT_BYTES, type PreparedEvent } from './prepare-events.js';

/** A job in the form that BullMQ's addBulk accepts. */
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
 * Plans the jobs for the events of one queue, and keeps the order of the events. With a `batchSize` of 1, each event
 * becomes a job. Otherwise a job contains an array of up to `batchSize` events, which together have at most
 * MAX_EVENT_BYTES. The same events always give the same job ids.
 */
export function planJobs(events: readonly PreparedEvent[], batchSize: number): PlannedJob[] {
  return batchSize === 1 ? events.map(toJob) : batchesOf(events, batchSize).map(toBatchJob);
}

/** True if one job may contain all the events. */
export function fitsOneJob(events: readonly PreparedEvent[]): boolean {
  return events.length <= MAX_EVENTS_PER_BATCH && bytesInBatch(events) <= MAX_EVENT_BYTES;
}

/** Splits a list into pieces of `size` items; the last piece may be shorter. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) {
    chunks.push(items.slice(start, start + size));
  }
  return chunks;
}

/** Returns the number of bytes that the events take in a batch job, without the brackets of the array. */
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

/** Groups the events by their queue. Within each queue the events keep their order. */
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

// A job id is derived from the content, so that adding the same events again does not double the job. BullMQ allows
// neither colons in a job id nor an id of digits only. 128 bits of the hash make accidental collisions practically
// impossible.
function jobIdOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) {
    hash.update(text).update('\n');
  }
  return `e-${hash.digest('base64url').slice(0, 22)}`;
}

/** Puts the events of concurrent calls to a queue into common jobs. */
export interface EventGatherer {
  /**
   * Adds the events of one call to the next job, in order. All events of the call must fit into one job, which may also
   * contain events of other calls. The promise settles like the `write` of that job, for all calls with events in the
   * job.
   */
  readonly add: (events: readonly PreparedEvent[]) => Promise<void>;
}

interface Gathering {
  readonly events: PreparedEvent[];
  bytes: number;
  readonly written: Promise<void>;
  readonly settleAs: (outcome: Promise<void>) => void;
}

/**
 * Interval between two writes while calls are concurrent. If a write waited only for the end of the previous write
 * (half a millisecond on Redis), a job had only two events when each call published a single event.
 */
const GATHER_MS = 3;

/**
 * Creates a gatherer for one queue. If only one call runs, its events are written in the same turn of the event loop.
 * Calls that come during a write form the next job. A full job is written at once.
 */
export function createEventGatherer(
  write: (events: readonly PreparedEvent[]) => Promise<void>,
): EventGatherer {
  let gathering: Gathering | undefined;
  let underWay = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  // True if calls came during the previous write. A caller who awaits each call before the next is therefore never
  // delayed to wait for other calls.
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
