import type { Random } from './random.js';

/**
 * Chooses among items of falling popularity: the weight of the n-th is 1 / n^exponent (Zipf), so that a few make
 * most and every one has its turn. Throws for an empty list.
 */
export function createWeightedChoice<Item>(
  items: readonly Item[],
  exponent: number,
): (random: Random) => Item {
  let sum = 0;
  const upTo = items.map((_, index) => {
    sum += 1 / (index + 1) ** exponent;
    return sum;
  });
  return (random) => {
    const item = items[firstAbove(upTo, random.uniform() * sum)];
    if (item === undefined) throw new RangeError('there is nothing to choose from');
    return item;
  };
}

/** Index of the first of the ascending numbers that is above the limit; the last index if none is. */
function firstAbove(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
