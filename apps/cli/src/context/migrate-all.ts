import { type MigrationReport, migrate } from '@takt/database';
import { CommandError } from '../command-error.js';
import { atPlace } from './at-place.js';

/**
 * Brings a database up to date, and the queue's schema where the queue is a PostgreSQL too. `name` says in errors
 * which database it is.
 */
export async function migrateAll(
  name: string,
  databaseUrl: string,
  queueUrl: string,
): Promise<MigrationReport> {
  const { synchroniseServedTexts } = await import('@takt/resources');
  const report = await migrate(databaseUrl, { synchronise: synchroniseServedTexts }).catch(
    (error: unknown) => {
      throw new CommandError(`${name} cannot be migrated`, { cause: error });
    },
  );
  const { migrateQueueSchema } = await import('@takt/events');
  await atPlace('queue', migrateQueueSchema(queueUrl));
  return report;
}
