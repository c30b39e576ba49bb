export { appUrlOf, obtainLogins } from './app-logins.js';
export {
  type AppProcess,
  type AppProcess as ApiProcess,
  type AppProcess as DashboardProcess,
  type AppProcess as IntakeProcess,
  type AppProcess as WorkerProcess,
  type AppProcessOptions,
  type AppProcessOptions as ApiProcessOptions,
  type AppProcessOptions as WorkerProcessOptions,
  runTakt,
  spawnTakt,
  spawnWorkerProcess,
  startApiProcess,
  startApp,
  startDashboardProcess,
  startIntakeProcess,
  startWorkerProcess,
  type TaktEnvironment,
  type TaktOutcome,
  whenStarted,
} from './apps.js';
export type { TestDatabase } from './open-patiently.js';
export { isTestedOnCluster, needsCluster } from './test-cluster.js';
export { createTestDatabase } from './test-database.js';
