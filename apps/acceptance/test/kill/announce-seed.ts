/** The seed of a test, of TAKT_TEST_SEED where it is set; printed, so that a failure can be repeated. */
export function announceSeed(what: string): number {
  const seed = Number(process.env['TAKT_TEST_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
  console.log(`      ${what}: TAKT_TEST_SEED=${seed}`);
  return seed;
}
