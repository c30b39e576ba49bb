import { randomFrom, testSeed } from './random.js';

/** Length of a run if TAKT_LONG_TESTS is not set: a tenth. CI runs with a length of 1. */
const DEFAULT_LENGTH = 0.1;

/**
 * Returns the length of the random and repeated tests of this run, relative to CI. It is set by TAKT_LONG_TESTS and is
 * a tenth by default.
 */
export function testLength(): number {
  const text = process.env['TAKT_LONG_TESTS'] || String(DEFAULT_LENGTH);
  const length = Number(text);
  if (!(length > 0)) throw new RangeError(`TAKT_LONG_TESTS must be a number above 0 (got ${text})`);
  return length;
}

/**
 * Scales `whole`, the number for CI, to the length of this run. By default the result is a tenth of it, but at least
 * `least`.
 */
export function shareOf(whole: number, least = 1): number {
  return Math.max(least, Math.round(whole * testLength()));
}

/**
 * Selects the items for this run from the items for CI, and keeps their order. Their number is given by `shareOf`, and
 * the seed decides which items are chosen.
 */
export function someOf<Item>(items: readonly Item[], least = 1): readonly Item[] {
  const taken = new Set(randomFrom(testSeed()).shuffle(items.keys()).slice(0, shareOf(items.length, least)));
  return items.filter((_, index) => taken.has(index));
}

/** Returns true if this run is at least as long as a run of CI. */
export function wantsLongTests(): boolean {
  return testLength() >= 1;
}

/** Describes at the end of a run what its length has left out; undefined if nothing was left out. */
export function whatLengthLeftOut(): string | undefined {
  if (wantsLongTests()) return undefined;
  const percent = Math.round(testLength() * 100);
  return `LEFT OUT: all but ${percent} % of the random and repeated tests (TAKT_LONG_TESTS=1 runs all of them, as CI does)`;
}
