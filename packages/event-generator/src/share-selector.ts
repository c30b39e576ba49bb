import type { Random } from './random.js';

/**
 * Chooses exactly `share` of `total` items, at random places, while they pass one by one (selection sampling,
 * Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm S). To be asked once for each item; where
 * `possible` is false the choice falls on a later one, if there are enough.
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
