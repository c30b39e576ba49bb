/** Seed of the random cases of this run, to be named in the test's title. TAKT_TEST_SEED repeats a run. */
export const testSeed = (): number => Number(process.env['TAKT_TEST_SEED'] ?? Date.now() % 2 ** 31);
