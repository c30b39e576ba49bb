import { listLeftOut } from './needs.js';
import { testSeed } from './random.js';
import { assertNoSecretsShown } from './shown-secrets.js';
import { openTestFolder } from './test-folder.js';
import { whatLengthLeftOut } from './test-length.js';
import { endTestServers, makeRoomForTestServers } from './test-server.js';

// Mocha runs the global fixtures once, in its main process. It runs the root hooks in every lane, after each test file
// of that lane.

let folder: Awaited<ReturnType<typeof openTestFolder>> | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  // The lanes inherit the environment as it is from here on, including the seed.
  process.env['TAKT_TEST_SEED'] = String(testSeed());
  console.log(`TAKT_TEST_SEED=${testSeed()} repeats the random tests of this run`);
  folder = await openTestFolder();
  await makeRoomForTestServers(folder.path);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await endTestServers();
  const leftOut = [...listLeftOut(), whatLengthLeftOut()].filter((line) => line !== undefined);
  await folder?.close();
  for (const line of leftOut) console.log(line);
  assertNoSecretsShown();
}

export const mochaHooks = { afterAll: assertNoSecretsShown };
