import { randomFrom, testSeed } from './random.js';

/** CI runs with a length of 1; a tenth is the default. */
const DEFAULT_LENGTH = 0.1;

/**
 * Returns the length of the random and repeated tests of this run, relative to CI: TAKT_LONG_TESTS, by default a tenth.
 */
export function testLength(): number {
  const text = process.env['TAKT_LONG_TESTS'] || String(DEFAULT_LENGTH);
  const length = Number(text);
  if (!(length > 0)) throw new RangeError(`TAKT_LONG_TESTS must be a number above 0 (got ${text})`);
  return length;
}

/** Scales `whole`, the number for CI, to the length of this run: by default a tenth, but at least `least`. */
export function shareOf(whole: number, least = 1): number {
  return Math.max(least, Math.round(whole * testLength()));
}

/** Selects the items of this run from those of CI, in order: as many as `shareOf` gives, chosen by the seed. */
export function someOf<Item>(items: readonly Item[], least = 1): readonly Item[] {
  const taken = new Set(randomFrom(testSeed()).shuffle(items.keys()).slice(0, shareOf(items.length, least)));
  return items.filter((_, index) => taken.has(index));
}

/** True if the run is at least as long as CI's. */
export function wantsLongTests(): boolean {
  return testLength() >= 1;
}

/** Describes at the end of a run what its length has left out; undefined if nothing. */
export function whatLengthLeftOut(): string | undefined {
  if (wantsLongTests()) return undefined;
  const percent = Math.round(testLength() * 100);
  return `LEFT OUT: all but ${percent} % of the random and repeated tests (TAKT_LONG_TESTS=1 runs all of them, as CI does)`;
}
