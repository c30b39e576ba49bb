import type { PublishOptions } from '@takt/events';
import { pause } from '@takt/run/waiting';

interface SendOptions {
  readonly batchSize: number;
  /** Maximum rate over all files. If undefined, events are published as fast as the queue accepts them. */
  readonly eventsPerSecond: number | undefined;
}

/** Publishes events in order, many of them at a time. */
export interface EventSender<Event> {
  /** Accepts an event. Resolves when there is room for another event. */
  send(event: Event): Promise<void>;
  /** Resolves when all accepted events are in the queue. */
  flush(): Promise<void>;
  /** Returns the number of events that are in the queue. */
  published(): number;
}

/** Maximum number of events in one call of the publisher. */
const CHUNK_EVENTS = 5_000;
const MAX_CHUNKS_UNDER_WAY = 3;
/** Number of steps per second into which a limited rate is divided, to avoid bursts. */
const STEPS_PER_SECOND = 20;
const DEFAULT_BATCH_SIZE = 500;

/**
 * Returns the default number of events per job. It is large, but with a limited rate it is at most the number of events
 * in one step.
 */
export function defaultBatchSize(eventsPerSecond: number | undefined): number {
  if (eventsPerSecond === undefined) return DEFAULT_BATCH_SIZE;
  return Math.min(DEFAULT_BATCH_SIZE, Math.max(1, Math.floor(eventsPerSecond / STEPS_PER_SECOND)));
}

export function createEventSender<Event>(
  publishChunk: (events: readonly Event[], options: PublishOptions) => Promise<unknown>,
  options: SendOptions,
): EventSender<Event> {
  const { batchSize, eventsPerSecond } = options;
  const chunkSize = chunkSizeFor(options);
  const underWay = new Set<Promise<void>>();
  let chunk: Event[] = [];
  let published = 0;
  let failure: { readonly error: unknown } | undefined;
  let nextAt = performance.now();

  const keepRate = async (events: number) => {
    if (eventsPerSecond === undefined) return;
    const now = performance.now();
    if (nextAt > now) await pause(nextAt - now);
    nextAt = Math.max(nextAt, now) + (events / eventsPerSecond) * 1_000;
  };
  const publish = async (events: readonly Event[]) => {
    try {
      await publishChunk(events, { batchSize });
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
      // Waiting stops at the first failure, because on a lost connection the other calls may wait long for an answer.
      while (underWay.size > 0) {
        await Promise.race(underWay);
        throwIfFailed();
      }
      throwIfFailed();
    },
    published: () => published,
  };
}

/** Returns the largest multiple of the batch size that one call may have. */
function chunkSizeFor({ batchSize, eventsPerSecond }: SendOptions): number {
  const perStep = (eventsPerSecond ?? Number.POSITIVE_INFINITY) / STEPS_PER_SECOND;
  const wanted = Math.min(CHUNK_EVENTS, perStep);
  return batchSize * Math.max(1, Math.floor(wanted / batchSize));
}
