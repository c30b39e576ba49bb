import type { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { migrateQueueSchema } from '@takt/events/internal';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrationsInstead } from '../before-release.js';
import {
  appNames,
  type MigrateOptions,
  type Migration,
  type MigrationReport,
  migrate,
  readMigrations,
} from '../index.js';
import {
  type BackupEnd,
  BackupError,
  type BackupHeader,
  type BackupSection,
  LEFT_OUT,
  MADE_ANEW,
  nameOf,
} from './backup-format.js';
import { type SessionOptions, withSession } from './open-session.js';
import { readBackup } from './read-backup.js';
import { readQueueSchemaVersion, TABLE_DEADLINE_MS } from './write-backup.js';

export interface RestoreOptions extends Required<Pick<MigrateOptions, 'synchronise'>> {
  /** Address of the database with the log-in of the owner. */
  readonly url: string;
  /** The address at which the queues will be. The schema of the queues is created there too. */
  readonly queueUrl: string;
  /** Called with the number of rows that have been read so far. */
  readonly onProgress?: (rows: number) => void;
}

export interface RestoreReport {
  readonly takenAt: string;
  readonly tables: number;
  readonly rows: number;
  /** Number of jobs in the backup, waiting or rejected. */
  readonly jobs: number;
  readonly migration: MigrationReport;
}

const LOCK_DEADLINE_MS = 10_000;

/**
 * Reads a file to its end and changes nothing. Rejects with a BackupError if the file is damaged, or if it is not a
 * backup that this program can restore.
 */
export async function verifyBackupFile(path: string): Promise<void> {
  let header: BackupHeader | undefined;
  await readBackup(createReadStream(path), {
    onHeader: async (found) => {
      header = found;
    },
    onSection: async (section, rows) => {
      assertIsKept(section);
      for await (const _chunk of rows);
    },
  });
  // The migrations are checked only now. A damaged header may name a wrong migration; the checksum at the end of the
  // file detects the damage first.
  if (header !== undefined) await findMigrations(header);
}

/**
 * Fills a new or empty database with a backup. If the backup is of an older version, also migrates the database. All
 * rows are loaded in one transaction, which is rolled back if the backup is damaged. The database then stays empty, and
 * no app starts on it before `migrate`. If the migration fails, the database is emptied again. Rejects with a
 * BackupError if the backup cannot be used, or if the database is not empty or in use. In these cases nothing has
 * changed, except that an empty database may have the version of the backup.
 */
export async function restoreBackup(input: Readable, options: RestoreOptions): Promise<RestoreReport> {
  const { url, queueUrl, onProgress, synchronise } = options;
  const session: SessionOptions = {
    url,
    applicationName: 'takt restore',
    statementTimeoutMs: TABLE_DEADLINE_MS,
    lockTimeoutMs: LOCK_DEADLINE_MS,
  };
  const loaded = await withSession(session, async (client) => {
    let takenAt = '';
    let rows = 0;
    const names: string[] = [];
    const end = await readBackup(input, {
      onHeader: async (header) => {
        takenAt = header.takenAt;
        const migrations = await findMigrations(header);
        await emptyDatabase(client);
        await makeTables(url, client, { header, migrations });
        await client.query('BEGIN');
      },
      onSection: async (section, chunks) => {
        assertIsKept(section);
        await assertTableExists(client, section);
        names.push(quote(section.schema, section.table));
        rows += await load(client, section, chunks);
        onProgress?.(rows);
      },
    });
    await setSequences(client, end);
    await client.query('COMMIT');
    return { takenAt, rows, tables: names.length, names, jobs: end.rows['bullmq.job'] ?? 0 };
  });
  const migration = await migrate(url, { synchronise }).catch(async (error: unknown) => {
    await withSession(session, (client) => client.query('DROP SCHEMA IF EXISTS takt, bullmq CASCADE'));
    throw error;
  });
  await migrateQueueSchema(queueUrl);
  const { names, ...report } = loaded;
  // The first readers thus find statistics and all-visible pages.
  await withSession(session, (client) => client.query(`VACUUM (ANALYZE) ${names.join(', ')}`));
  return { ...report, migration };
}

/**
 * Returns the migrations that made the schema of the backup. Throws a BackupError if this program does not know all of
 * them.
 */
async function findMigrations(header: BackupHeader): Promise<readonly Migration[]> {
  const known = await readMigrations();
  const wanted = header.migrations;
  const instead = migrationsInstead(wanted, known);
  if (instead === 'too old') {
    throw new BackupError(
      `it was made by Takt ${header.taktVersion} with schema version ${wanted.length}, from before 1.0.0: restore it ` +
        'with the last Takt before 1.0.0, run takt migrate, and back it up again',
    );
  }
  if (instead !== undefined) return instead;
  if (wanted.length > known.length) {
    throw new BackupError(
      `it was made by Takt ${header.taktVersion} with schema version ${wanted.length}, this program knows ` +
        `${known.length}: restore it with a newer Takt`,
    );
  }
  return wanted.map(({ name, checksum }, index) => {
    const own = known[index];
    if (own?.name === name && own.checksum === checksum) return own;
    throw new BackupError(
      `its migration ${name} is not that of this program: restore it with the Takt that made it, ${header.taktVersion}`,
    );
  });
}

/**
 * Tables that get their first rows when Takt is used. All other tables get their rows from migrations, or only together
 * with rows of these tables. So a database is empty if these tables are empty.
 */
const FILLED_BY_USE = [
  'takt.companies',
  'takt.users',
  'takt.api_clients',
  'takt.rejected_events',
  'takt.rejections',
  'bullmq.job',
];

/**
 * Drops the schemas of Takt and of its queues if they are empty, so that they can be created in the version of the
 * backup. Throws a BackupError if they are not empty, or if an app that could add rows is connected.
 */
async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query('BEGIN');
  const { rows: apps } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND application_name = ANY ($1)`,
    [appNames.map((app) => `takt ${app}`)],
  );
  if (apps.length > 0) {
    const names = apps.map(({ name }) => name).join(', ');
    throw new BackupError(`apps use the database (${names}): stop them, restore, start them again`);
  }
  const { rows: tables } = await client.query<{ name: string; schema: string }>(
    `SELECT name, split_part(name, '.', 1) AS schema FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL`,
    [FILLED_BY_USE],
  );
  for (const { name } of tables) {
    await client.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`);
    if (rowCount === 0) continue;
    throw new BackupError(
      `the database is not empty, there are rows in ${name}: restore into an empty database (CREATE DATABASE), or ` +
        'for the embedded server into another TAKT_HOME',
    );
  }
  const { rows: schemas } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname IN ('takt', 'bullmq')`,
  );
  for (const { name } of schemas) {
    if (!tables.some(({ schema }) => schema === name)) {
      throw new BackupError(
        `schema ${name} of the database is not one of Takt: restore into an empty database`,
      );
    }
    await client.query(`DROP SCHEMA ${name} CASCADE`);
  }
  await client.query('COMMIT');
}

interface WantedSchema {
  readonly header: BackupHeader;
  readonly migrations: readonly Migration[];
}

/** Creates the tables without the functions, because the functions need the newest tables. */
async function makeTables(
  url: string,
  client: pg.Client,
  { header, migrations }: WantedSchema,
): Promise<void> {
  await migrate(url, { migrations });
  if (header.queueSchemaVersion === null) return;
  await migrateQueueSchema(url);
  const known = await readQueueSchemaVersion(client);
  if (header.queueSchemaVersion <= known) return;
  throw new BackupError(
    `its queues have version ${header.queueSchemaVersion}, this program knows ${known}: restore it with a newer Takt`,
  );
}

/**
 * Refuses records of migrations in the backup. This program would run the content of such records, so a forged file
 * could make it run anything.
 */
function assertIsKept(section: BackupSection): void {
  if (!LEFT_OUT.includes(nameOf(section))) return;
  throw new BackupError(`it holds a table ${nameOf(section)}, which is in no backup of Takt`);
}

/** Accepts only tables that exist, because names in a file become part of statements, although they are quoted. */
async function assertTableExists(client: pg.Client, section: BackupSection): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2', [
    section.schema,
    section.table,
  ]);
  if (rowCount !== 0) return;
  throw new BackupError(`it holds a table ${nameOf(section)}, which its schema does not have`);
}

/** Returns the number of rows that the server accepted. */
async function load(
  client: pg.Client,
  { schema, table, columns }: BackupSection,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const name = quote(schema, table);
  // The existing rows come from migrations, which insert rows into some tables.
  await client.query(`DELETE FROM ${name}`);
  const target = client.query(
    copyFrom(`COPY ${name} (${columns.map(pg.escapeIdentifier).join(', ')}) FROM STDIN`),
  );
  await pipeline(rows, target);
  // An older backup contains these secrets, so they are replaced by new ones.
  if (schema === MADE_ANEW.schema && table === MADE_ANEW.table && columns.includes(MADE_ANEW.column)) {
    await client.query(`UPDATE ${name} SET ${MADE_ANEW.column} = DEFAULT`);
  }
  return target.rowCount;
}

async function setSequences(client: pg.Client, { sequences }: BackupEnd): Promise<void> {
  for (const { schema, name, value, isCalled } of sequences) {
    // A queue that does not belong to the contract has its own sequence. If the sequence does not exist, it is
    // recreated by the first job of that queue.
    await client.query('SELECT setval(to_regclass($1), $2, $3) WHERE to_regclass($1) IS NOT NULL', [
      quote(schema, name),
      value,
      isCalled,
    ]);
  }
}

function quote(schema: string, name: string): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}
