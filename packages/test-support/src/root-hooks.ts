import { testSeed } from './random.js';
import { assertNoSecretsShown } from './shown-secrets.js';
import { closeTestServer } from './test-database.js';

/** Mocha's root hooks: what belongs to the whole run. */
export const mochaHooks = {
  beforeAll: () => console.log(`TAKT_TEST_SEED=${testSeed()} repeats the random tests of this run`),
  afterAll: async () => {
    await closeTestServer();
    assertNoSecretsShown();
  },
};
