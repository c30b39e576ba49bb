/** Returns the next number x of a random stream, uniformly distributed with 0 <= x < 1. */
export type Random = () => number;

/**
 * Creates the generator sfc32 (Chris Doty-Humphrey, PractRand 0.93, public domain), which must not be used for secrets.
 * The streams of one seed are independent, so numbers drawn for one purpose do not change those for another.
 */
export function createRandom(seed: number, stream: number): Random {
  let [a, b, c, counter] = [seed | 0, Math.floor(seed / 2 ** 32) | 0, stream, 1];
  const next = () => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers are discarded, because the seed has not yet spread over the whole state.
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** Returns a random integer x with 0 <= x < limit. */
export const below = (limit: number, random: Random) => Math.floor(random() * limit);

/** Returns one of the items, each with the same probability. */
export const pick = <Item>(items: readonly Item[], random: Random) =>
  items[below(items.length, random)] as Item;

/** Returns one of the items, the first ones most often: a fifth of many items gets about two thirds of the draws. */
export const pickEarly = <Item>(items: readonly Item[], random: Random) =>
  items[Math.floor((items.length + 1) ** (random() ** 1.2)) - 1] as Item;

/**
 * Selects exactly `wanted` of `total` items at random, while the items pass one by one (selection sampling: Knuth, The
 * Art of Computer Programming, volume 2, 3.4.2, algorithm S). Call the returned function once for each item.
 */
export function createSelector(total: number, wanted: number, random: Random): () => boolean {
  let [left, missing] = [total, wanted];
  return () => {
    const isChosen = random() * left-- < missing;
    if (isChosen) missing -= 1;
    return isChosen;
  };
}
