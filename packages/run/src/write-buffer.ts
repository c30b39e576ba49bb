import type { Closeable } from './run-until-signal.js';

interface WriteBufferOptions<Entry> {
  /** Writes the entries that were added since the previous call. */
  readonly write: (entries: readonly Entry[]) => Promise<void>;
  /** Time in milliseconds between two calls of `write`. */
  readonly everyMs: number;
  /** The maximum number of keys, which limits the memory while `write` fails. Further keys are dropped. */
  readonly maxEntries: number;
  /** Makes one entry of two with the same key. Default: the first one stays. */
  readonly merge?: (known: Entry, added: Entry) => Entry;
  /** Receives the errors of `write`. A later call of `write` receives the same entries again. */
  readonly onError: (error: unknown) => void;
}

/** Entries that wait to be written. `close` writes the rest. */
export interface WriteBuffer<Key, Entry> extends Closeable {
  add(key: Key, make: () => Entry): void;
}

/**
 * Gathers entries in memory and writes them together at intervals, because a write for each entry would cost too much. A
 * killed process loses the entries of the last interval.
 */
export function createWriteBuffer<Key, Entry>({
  write,
  everyMs,
  maxEntries,
  merge,
  onError,
}: WriteBufferOptions<Entry>): WriteBuffer<Key, Entry> {
  const entries = new Map<Key, Entry>();
  let writing: Promise<void> = Promise.resolve();

  const add = (key: Key, make: () => Entry) => {
    const known = entries.get(key);
    if (known === undefined) {
      if (entries.size < maxEntries) entries.set(key, make());
    } else if (merge !== undefined) {
      entries.set(key, merge(known, make()));
    }
  };
  const writeAll = async () => {
    if (entries.size === 0) return;
    const taken = [...entries];
    entries.clear();
    try {
      await write(taken.map(([, entry]) => entry));
    } catch (error) {
      for (const [key, entry] of taken) add(key, () => entry);
      onError(error);
    }
  };
  const timer = setInterval(() => {
    writing = writing.then(writeAll);
  }, everyMs).unref();
  return {
    add,
    close: async () => {
      clearInterval(timer);
      await writing;
      await writeAll();
    },
  };
}
