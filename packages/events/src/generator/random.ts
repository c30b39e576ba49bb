/** A source of pseudo-random numbers. The same seed and stream reproduce the same numbers. */
export interface Random {
  /** Returns a uniformly distributed number x with 0 <= x < 1, in steps of 2^-32. */
  uniform(): number;
  /** Returns a uniformly distributed integer x with 0 <= x < limit. */
  below(limit: number): number;
  /** Returns true with the given probability. */
  chance(probability: number): boolean;
  /** Returns a number with the standard normal distribution (mean 0, deviation 1). */
  normal(): number;
  /** Returns one of the items, each with the same probability. Throws if the list is empty. */
  pick<Item>(items: readonly Item[]): Item;
}

const STEPS = 2 ** 32;
/**
 * Number of initial random numbers that are discarded, so that the seed has spread over the whole state of the
 * generator.
 */
const WARM_UP = 12;

/**
 * Creates the generator sfc32 ("small fast counting", by Chris Doty-Humphrey, PractRand 0.93, public domain). Its
 * period is at least 2^32, and it passes PractRand and BigCrush. The streams of one seed are independent, so drawing
 * numbers for one purpose does not change the numbers for another purpose. Do not use the generator for secrets.
 */
export function createRandom(seed: number, stream: number): Random {
  let a = seed | 0;
  let b = Math.floor(seed / STEPS) | 0;
  let c = stream | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < WARM_UP; round++) next();

  const uniform = () => next() / STEPS;
  const below = (limit: number) => Math.floor(uniform() * limit);
  return {
    uniform,
    below,
    chance: (probability) => uniform() < probability,
    // This is the method of Box and Muller. `1 - x` avoids the logarithm of 0.
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('there is nothing to pick from');
      return item;
    },
  };
}

/**
 * Selects exactly `share` of `total` items at random, while the items pass one by one (selection sampling: Knuth, The
 * Art of Computer Programming, volume 2, 3.4.2, algorithm S). Call the returned function once for each item. An item
 * for which `possible` is false is not selected; a later item is selected instead if enough items are left.
 */
export function createShareSelector(
  total: number,
  share: number,
  random: Random,
): (possible?: boolean) => boolean {
  let wanted = Math.round(total * share);
  let left = total;
  return (possible = true) => {
    const isChosen = random.uniform() * left < wanted;
    left -= 1;
    if (!isChosen || !possible) return false;
    wanted -= 1;
    return true;
  };
}

/**
 * Returns a function that chooses items with Zipf weights: the n-th item has the weight 1 / n^exponent. So a few items
 * are frequent, and yet every item can occur. Throws if the list is empty.
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

/**
 * Returns the index of the first number above the limit in an ascending list. Returns the last index if no number is
 * above the limit.
 */
function firstAbove(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] ?? 0) > limit) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
