/** The seed of this run, of TAKT_TEST_SEED where it is set; printed, so that a failure can be repeated. */
export function announceSeed(what: string): number {
  const seed = Number(process.env['TAKT_TEST_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
  console.log(`      ${what}: TAKT_TEST_SEED=${seed}`);
  return seed;
}

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
