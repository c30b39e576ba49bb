export { EmbeddedServerError } from './embedded/embedded-server-error.js';
export {
  type EmbeddedServerLease,
  type EmbeddedServerOptions,
  leaseEmbeddedServer,
} from './embedded/lease-embedded-server.js';
export { checkBeforeStart, findSchemaProblems, findStartupProblems, readSchemaVersion } from './guards.js';
export { type MigrateOptions, type MigrationReport, migrate } from './migrate.js';
export { type AppRole, type Database, type DatabaseOptions, openDatabase } from './open-database.js';
export { type Migration, readFunctions, readMigrations, type SqlFile } from './read-migrations.js';
export * as schema from './schema/index.js';
export { dumpSchema } from './schema-dump.js';
