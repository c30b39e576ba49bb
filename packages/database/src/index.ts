export {
  type AwayCompany,
  askAboutCompanies,
  describeAway,
  findAwayCompanies,
  isOfAwayNode,
} from './away-companies.js';
export {
  type AppConnection,
  checkBeforeStart,
  checkBeforeStartWithQueues,
  type StartCheck,
} from './check-before-start.js';
export { findSchemaProblems, findStartupProblems, isSchemaNewer, readSchemaVersion } from './check-schema.js';
export {
  addNode,
  ClusterError,
  type ClusterNode,
  type ClusterOptions,
  describeCluster,
  initCluster,
  listNodeUrls,
  moveCompany,
  rebalanceCluster,
} from './cluster.js';
export { inTransaction } from './in-transaction.js';
export {
  type AppName,
  type AppUrls,
  addressOf,
  appNames,
  appRoles,
  dropLogin,
  inventLogin,
  keepLogins,
  keptLoginUrl,
  type Login,
  LoginError,
  type LoginSummary,
  listLogins,
  makeGivenLogins,
  makeLogin,
} from './logins.js';
export { type MigrateOptions, type MigrationReport, migrate } from './migrate.js';
export {
  type AppRole,
  type Database,
  type DatabaseOptions,
  keepsSessions,
  openDatabase,
  type PoolClient,
  type Pooler,
} from './open-database.js';
export { type Migration, readFunctions, readMigrations, type SqlFile } from './read-migrations.js';
export { appSessions } from './session-settings.js';
export { addressAt, isCluster, type NodeAddress } from './spread-over-nodes.js';
