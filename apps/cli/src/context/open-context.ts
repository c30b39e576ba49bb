import { type Database, type MigrationReport, openDatabase } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import type { Publisher } from '@takt/events';
import type { Settings } from '@takt/runtime';
import { CommandError } from '../command-error.js';
import type { Queues } from '../queues/open-queues.js';
import type { Terminal } from '../terminal.js';
import { assertSchemaIsCurrent } from './assert-schema-is-current.js';
import { atPlace } from './at-place.js';
import { migrateAll } from './migrate-all.js';

/** The database and the queues that a command works with. What is opened here is closed with it. */
export interface Context {
  readonly isEmbedded: boolean;
  databaseUrl(): Promise<string>;
  queueUrl(): Promise<string>;
  /** Brings database and queue schema up to date; on the embedded server that has been done already. */
  migrate(): Promise<MigrationReport>;
  /** Rejects with a CommandError where the database does not answer or its schema is not current. */
  openDatabase(): Promise<Database>;
  /** Rejects with a CommandError where the queue does not answer or its schema was not made. */
  openQueues(): Promise<Queues>;
  openPublisher(): Promise<Publisher>;
  /** Closes in reverse order; the embedded server ends unless somebody else uses it. */
  close(): Promise<void>;
}

interface Place {
  readonly databaseUrl: string;
  readonly migrated: MigrationReport;
}

/** Audit and rebuild read much; what never ends must end all the same. */
const STATEMENT_TIMEOUT_MS = 600_000;

/** Opens nothing yet: a command that needs only Redis starts no embedded server. */
export function openContext(settings: Settings, terminal: Terminal): Context {
  const closers: (() => Promise<void>)[] = [];
  let embedded: Promise<Place> | undefined;
  const leaseEmbedded = async (): Promise<Place> => {
    const lease = await leaseEmbeddedServer({
      home: settings.home,
      onTrouble: (error) => terminal.say(`takt: ${error.message}`),
    }).catch((error: Error) => {
      throw new CommandError(error.message, { cause: error.cause });
    });
    closers.push(() => lease.close());
    const migrated = await migrateAll('the embedded database', lease.url, settings.queueUrl ?? lease.url);
    return { databaseUrl: lease.url, migrated };
  };
  const place = () => {
    embedded ??= leaseEmbedded();
    return embedded;
  };
  const databaseUrl = async () => settings.databaseUrl ?? (await place()).databaseUrl;
  const queueUrl = async () => settings.queueUrl ?? (await databaseUrl());
  const open = async <Resource extends { close(): Promise<void> }>(resource: Promise<Resource>) => {
    const opened = await resource;
    closers.push(() => opened.close());
    return opened;
  };

  return {
    isEmbedded: settings.databaseUrl === undefined,
    databaseUrl,
    queueUrl,
    migrate: async () => {
      if (settings.databaseUrl === undefined) return (await place()).migrated;
      return migrateAll('the database of DATABASE_URL', settings.databaseUrl, await queueUrl());
    },
    openDatabase: async () => {
      const url = await databaseUrl();
      const database = await open(
        Promise.resolve(
          openDatabase({ url, applicationName: 'takt cli', statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
        ),
      );
      await atPlace('database', assertSchemaIsCurrent(database.pool));
      return database;
    },
    openQueues: async () => {
      const { openQueues } = await import('../queues/open-queues.js');
      return open(atPlace('queue', openQueues(await queueUrl())));
    },
    openPublisher: async () => {
      const { openPublisher } = await import('@takt/events');
      return open(atPlace('queue', openPublisher(await queueUrl())));
    },
    close: async () => {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
