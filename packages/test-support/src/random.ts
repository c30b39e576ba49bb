/**
 * Pseudo-random choices that are derived from a seed. A call returns the next number x, evenly distributed, 0 <= x < 1.
 */
export interface Random {
  (): number;
  /** Returns a whole number x, 0 <= x < limit. */
  below(limit: number): number;
  /** Returns one of the items, each with the same probability. Throws if there are no items. */
  pick<Item>(items: readonly Item[]): Item;
  /** Returns the items in random order (Fisher-Yates). */
  shuffle<Item>(items: Iterable<Item>): Item[];
}

/** Creates the generator mulberry32 (by Tommy Ettinger, public domain). Its 32 bits of state are enough for tests. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return Object.assign(next, {
    below,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('there is nothing to pick from');
      return item;
    },
    shuffle: <Item>(items: Iterable<Item>): Item[] => {
      const result: Item[] = [];
      for (const item of items) result.splice(below(result.length + 1), 0, item);
      return result;
    },
  });
}

const seed = Number(process.env['TAKT_TEST_SEED'] ?? Date.now() % 2 ** 31);

/**
 * Returns the seed of all random tests of this run. It is printed at the start of the run; setting TAKT_TEST_SEED to
 * this seed repeats the run.
 */
export function testSeed(): number {
  return seed;
}
