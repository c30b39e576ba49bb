import { randomFrom, testSeed } from './random.js';

/** CI runs a length of 1; a person waits for a tenth of it. */
const DEFAULT_LENGTH = 0.1;

/** How long the random and repeated tests of this run are, 1 being what CI runs: TAKT_LONG_TESTS, a tenth by default. */
export function testLength(): number {
  const text = process.env['TAKT_LONG_TESTS'] || String(DEFAULT_LENGTH);
  const length = Number(text);
  if (!(length > 0)) throw new RangeError(`TAKT_LONG_TESTS must be a number above 0 (got ${text})`);
  return length;
}

/** Scales `whole`, the number that CI runs, to the length of this run: a tenth by default, and at least `least`. */
export function shareOf(whole: number, least = 1): number {
  return Math.max(least, Math.round(whole * testLength()));
}

/** The items that this run takes of those that CI runs, in their order: `shareOf` as many, others with each seed. */
export function someOf<Item>(items: readonly Item[], least = 1): readonly Item[] {
  const taken = new Set(randomFrom(testSeed()).shuffle(items.keys()).slice(0, shareOf(items.length, least)));
  return items.filter((_, index) => taken.has(index));
}

/** True where the run is as long as CI's, or longer. */
export function wantsLongTests(): boolean {
  return testLength() >= 1;
}

/** Says at the end of a run what its length has left out; undefined where that is nothing. */
export function whatLengthLeftOut(): string | undefined {
  if (wantsLongTests()) return undefined;
  const percent = Math.round(testLength() * 100);
  return `LEFT OUT: all but ${percent} % of the random and repeated tests (TAKT_LONG_TESTS=1 runs all of them, as CI does)`;
}
