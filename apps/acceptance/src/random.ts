/** Uniform numbers in [0, 1). */
export type Random = () => number;

/** Uniform numbers that follow from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to `below` - 1. */
export function wholeNumber(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** The items in random order (Fisher-Yates). */
export function shuffled<Item>(items: Iterable<Item>, random: Random): Item[] {
  const result: Item[] = [];
  for (const item of items) {
    const position = wholeNumber(random, result.length + 1);
    const displaced = result[position];
    if (displaced === undefined) result.push(item);
    else {
      result.push(displaced);
      result[position] = item;
    }
  }
  return result;
}
