import type { Publisher } from '@takt/events';
import { pause } from '@takt/run/waiting';

interface SendOptions {
  /** Events in a job. */
  readonly batchSize: number;
  /** Events a second at most, over all files; undefined: as fast as the queue takes them. */
  readonly eventsPerSecond: number | undefined;
}

/** Publishes events in the order in which they come, many at a time. */
export interface EventSender {
  /** Takes an event; resolves when there is room for another one. */
  send(event: unknown): Promise<void>;
  /** Resolves when everything that was taken is in the queue. */
  flush(): Promise<void>;
  /** Events that are in the queue. */
  published(): number;
}

/** Events in one call of the publisher. */
const CHUNK_EVENTS = 5_000;
const MAX_CHUNKS_UNDER_WAY = 3;
/** A limited rate is kept in steps of this part of a second, so that it is no row of bursts. */
const STEPS_PER_SECOND = 20;
const DEFAULT_BATCH_SIZE = 500;

/** Events in a job where the user does not say: many, but with a limited rate no more than one step of it. */
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
      // Not for all of them where one has failed: others may wait long for an answer on a connection that is gone.
      while (underWay.size > 0) {
        await Promise.race(underWay);
        throwIfFailed();
      }
      throwIfFailed();
    },
    published: () => published,
  };
}

/** Whole batches, as many as one call may carry. */
function chunkSizeFor({ batchSize, eventsPerSecond }: SendOptions): number {
  const perStep = (eventsPerSecond ?? Number.POSITIVE_INFINITY) / STEPS_PER_SECOND;
  const wanted = Math.min(CHUNK_EVENTS, perStep);
  return batchSize * Math.max(1, Math.floor(wanted / batchSize));
}
