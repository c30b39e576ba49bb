import type { Publisher } from '@takt/events';
import { pause } from '@takt/run/waiting';

interface SendOptions {
  /** Events per job. */
  readonly batchSize: number;
  /** Limit of the rate over all files; undefined: as fast as the queue accepts them. */
  readonly eventsPerSecond: number | undefined;
}

/** Publishes events in order, many at a time. */
export interface EventSender {
  /** Accepts an event; resolves when there is room for another. */
  send(event: unknown): Promise<void>;
  /** Resolves when all accepted events are in the queue. */
  flush(): Promise<void>;
  /** Events in the queue. */
  published(): number;
}

/** Events per call of the publisher. */
const CHUNK_EVENTS = 5_000;
const MAX_CHUNKS_UNDER_WAY = 3;
/** A limited rate is divided into this many steps per second, to avoid bursts. */
const STEPS_PER_SECOND = 20;
const DEFAULT_BATCH_SIZE = 500;

/** Default number of events per job: many, but with a limited rate at most the events of one step. */
export function defaultBatchSize(eventsPerSecond: number | undefined): number {
  if (eventsPerSecond === undefined) return DEFAULT_BATCH_SIZE;
  return Math.min(DEFAULT_BATCH_SIZE, Math.max(1, Math.floor(eventsPerSecond / STEPS_PER_SECOND)));
}

export function createEventSender(publisher: Pick<Publisher, 'publish'>, options: SendOptions): EventSender {
  const { batchSize, eventsPerSecond } = options;
  const chunkSize = chunkSizeFor(options);
  const underWay = new Set<Promise<void>>();
  let chunk: unknown[] = [];
  let published = 0;
  let failure: { readonly error: unknown } | undefined;
  let nextAt = performance.now();

  const keepRate = async (events: number) => {
    if (eventsPerSecond === undefined) return;
    const now = performance.now();
    if (nextAt > now) await pause(nextAt - now);
    nextAt = Math.max(nextAt, now) + (events / eventsPerSecond) * 1_000;
  };
  const publish = async (events: readonly unknown[]) => {
    try {
      await publisher.publish(events, { batchSize });
      published += events.length;
    } catch (error) {
      failure ??= { error };
    }
  };
  const dispatch = async () => {
    const events = chunk;
    chunk = [];
    if (events.length === 0) return;
    await keepRate(events.length);
    while (underWay.size >= MAX_CHUNKS_UNDER_WAY) await Promise.race(underWay);
    throwIfFailed();
    const call: Promise<void> = publish(events).finally(() => underWay.delete(call));
    underWay.add(call);
  };
  const throwIfFailed = () => {
    if (failure !== undefined) throw failure.error;
  };

  return {
    send: async (event) => {
      chunk.push(event);
      if (chunk.length >= chunkSize) await dispatch();
    },
    flush: async () => {
      await dispatch();
      // Stops waiting at the first failure: on a lost connection the other calls may wait long for an answer.
      while (underWay.size > 0) {
        await Promise.race(underWay);
        throwIfFailed();
      }
      throwIfFailed();
    },
    published: () => published,
  };
}

/** Returns the largest multiple of the batch size that one call allows. */
function chunkSizeFor({ batchSize, eventsPerSecond }: SendOptions): number {
  const perStep = (eventsPerSecond ?? Number.POSITIVE_INFINITY) / STEPS_PER_SECOND;
  const wanted = Math.min(CHUNK_EVENTS, perStep);
  return batchSize * Math.max(1, Math.floor(wanted / batchSize));
}
