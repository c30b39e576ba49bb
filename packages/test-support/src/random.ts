/** Pseudo-random choices derived from a seed. A call returns the next number x, evenly distributed, 0 <= x < 1. */
export interface Random {
  (): number;
  /** Returns a whole number x, 0 <= x < limit. */
  below(limit: number): number;
  /** Returns one of the items, each with the same probability. Throws if there is none. */
  pick<Item>(items: readonly Item[]): Item;
  /** The items in random order (Fisher-Yates). */
  shuffle<Item>(items: Iterable<Item>): Item[];
}

/** The generator mulberry32 (Tommy Ettinger, public domain): 32 bits of state are enough for tests. */
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

/** The seed of all random tests of this run. It is printed at the start; TAKT_TEST_SEED repeats a run. */
export function testSeed(): number {
  return seed;
}
