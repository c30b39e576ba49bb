import { testSeed } from './random.js';
import { assertNoSecretsShown } from './shown-secrets.js';
import { endTestServers, makeRoomForTestServers } from './test-database.js';
import { whatLengthLeftOut } from './test-length.js';

// Mocha runs the global ones once, in its main process; the root hooks in every lane, after each of its files.

export async function mochaGlobalSetup(): Promise<void> {
  // Lanes get the environment as it is from here on, and with it the seed.
  process.env['TAKT_TEST_SEED'] = String(testSeed());
  console.log(`TAKT_TEST_SEED=${testSeed()} repeats the random tests of this run`);
  await makeRoomForTestServers();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await endTestServers();
  const leftOut = whatLengthLeftOut();
  if (leftOut !== undefined) console.log(leftOut);
  assertNoSecretsShown();
}

export const mochaHooks = { afterAll: assertNoSecretsShown };
