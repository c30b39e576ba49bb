import { type Database, readMigrations, readSchemaVersion } from '@takt/database';
import { CommandError } from '../command-error.js';

/** Throws a CommandError that says what to do where the schema is older or newer than this program. */
export async function assertSchemaIsCurrent(pool: Database['pool']): Promise<void> {
  const [found, wanted] = [await readSchemaVersion(pool), (await readMigrations()).length];
  if (found < wanted) {
    throw new CommandError(
      `the database's schema has version ${found}, ${wanted} is needed: run takt migrate`,
    );
  }
  if (found > wanted) {
    throw new CommandError(
      `the database's schema has version ${found}, this program knows ${wanted}: use a newer Takt`,
    );
  }
}
