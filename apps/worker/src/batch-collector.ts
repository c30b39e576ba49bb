import { setImmediate } from 'node:timers/promises';

export interface BatchCollector<Item, Result> {
  /** Adds the items to a batch. After their batch was handled, resolves with one result for each item, in order. */
  submit(items: readonly Item[]): Promise<readonly Result[]>;
}

interface BatchCollectorOptions<Item, Result> {
  /** Handles one batch and returns one result per item. If it rejects, all callers of the batch get the error. */
  readonly handle: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Maximum number of items in a batch. A single submission that is larger is a batch by itself. */
  readonly maxItems: number;
  /** Time in milliseconds that the first item waits for further items while no batch is running. */
  readonly lingerMs: number;
  /** Minimum interval in milliseconds between batches that are not full, because many small batches are inefficient. */
  readonly paceMs: number;
}

/**
 * Number of callers that continue before other work gets a turn. If a thousand callers continued at once, the server of
 * the queue would have to wait.
 */
const RELEASED_AT_ONCE = 100;

interface Submission<Item, Result> {
  readonly items: readonly Item[];
  readonly resolve: (results: readonly Result[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits in groups: items that arrive while a batch is running form the next batch, so batches grow with the load. If
 * no batch is running, a batch starts when it is full. It also starts when its first item has waited `lingerMs` and the
 * previous batch started at least `paceMs` ago.
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
