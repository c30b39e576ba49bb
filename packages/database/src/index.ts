export { checkBeforeStart, findSchemaProblems, findStartupProblems, readSchemaVersion } from './guards.js';
export { type MigrateOptions, type MigrationReport, migrate } from './migrate.js';
export { type AppRole, type Database, type DatabaseOptions, openDatabase } from './open-database.js';
export { type Migration, readFunctions, readMigrations, type SqlFile } from './read-migrations.js';
export * as schema from './schema.js';
export { dumpSchema } from './schema-dump.js';
