import { setImmediate } from 'node:timers/promises';

/** Collects submissions into batches. */
export interface BatchCollector<Item, Result> {
  /** Resolves with one result per item, in order, after their batch. */
  submit(items: readonly Item[]): Promise<readonly Result[]>;
}

interface BatchCollectorOptions<Item, Result> {
  /** Handles one batch and returns one result per item. If it rejects, all callers of the batch get the error. */
  readonly handle: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Maximum size of a batch; a larger single submission is a batch by itself. */
  readonly maxItems: number;
  /** Time that the first item waits for others while no batch is running. */
  readonly lingerMs: number;
  /** Minimum interval between batches that are not full: many small ones are inefficient. */
  readonly paceMs: number;
}

/** Number of callers that continue before others get a turn: a thousand at once would make the queue's server wait. */
const RELEASED_AT_ONCE = 100;

interface Submission<Item, Result> {
  readonly items: readonly Item[];
  readonly resolve: (results: readonly Result[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: items that arrive during a batch form the next one, so batches grow with the load. Without a running
 * batch, one starts when it is full, or when its first item has waited `lingerMs` and the previous batch started
 * `paceMs` ago.
 */
export function createBatchCollector<Item, Result>(
  options: BatchCollectorOptions<Item, Result>,
): BatchCollector<Item, Result> {
  let waiting: Submission<Item, Result>[] = [];
  let waitingItems = 0;
  let isUnderWay = false;
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const leave = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = takeBatch();
    isUnderWay = true;
    beganAtMs = performance.now();
    const handled = options.handle(batch.flatMap(({ items }) => items)).finally(() => {
      isUnderWay = false;
      consider();
    });
    void release(batch, handled);
  };

  const takeBatch = () => {
    let count = 0;
    let items = 0;
    for (const submission of waiting) {
      if (count > 0 && items + submission.items.length > options.maxItems) break;
      count += 1;
      items += submission.items.length;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingItems -= items;
    return batch;
  };

  const consider = () => {
    if (waiting.length === 0 || isUnderWay) return;
    if (waitingItems >= options.maxItems) {
      leave();
    } else {
      const { lingerMs, paceMs } = options;
      timer ??= setTimeout(leave, Math.max(lingerMs, beganAtMs + paceMs - performance.now()));
    }
  };

  return {
    submit: (items) =>
      new Promise((resolve, reject) => {
        if (items.length === 0) return resolve([]);
        waiting.push({ items, resolve, reject });
        waitingItems += items.length;
        consider();
      }),
  };
}

async function release<Item, Result>(
  batch: readonly Submission<Item, Result>[],
  handled: Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await handled;
    let next = 0;
    for (const [index, { items, resolve }] of batch.entries()) {
      if (index > 0 && index % RELEASED_AT_ONCE === 0) await setImmediate();
      resolve(results.slice(next, next + items.length));
      next += items.length;
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
