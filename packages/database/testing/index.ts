export { appUrlOf, obtainLogins } from './app-logins.js';
export {
  type AppProcess,
  type AppProcessOptions,
  runTakt,
  spawnApp,
  spawnTakt,
  startApp,
  type TaktEnvironment,
  type TaktOutcome,
  whenStarted,
} from './apps.js';
export { hashOfPage, PICTURE_FILES, withFirstPage } from './first-page.js';
export type { TestDatabase } from './open-patiently.js';
export { isTestedOnCluster, needsCluster, needsSingleServer } from './test-cluster.js';
export { createTestDatabase } from './test-database.js';
