import { Buffer } from 'node:buffer';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { isCluster } from '../spread-over-nodes.js';
import {
  type BackupEnd,
  BackupError,
  type BackupSection,
  type BackupSequence,
  countRows,
  FORMAT_VERSION,
  formatHeader,
  LEFT_OUT,
  MADE_ANEW,
  nameOf,
  SECRET_TABLE,
} from './backup-format.js';
import { withSession } from './open-session.js';

export interface BackupOptions {
  /** Address of the database with the log-in of the owner. */
  readonly url: string;
  readonly taktVersion: string;
  /** Called with the number of rows that have been written so far. */
  readonly onProgress?: (rows: number) => void;
  /** When aborted, ends the backup. */
  readonly signal?: AbortSignal;
}

export interface BackupReport {
  readonly takenAt: string;
  readonly tables: number;
  readonly rows: number;
  /** Size of the compressed file in bytes. */
  readonly bytes: number;
}

/** Maximum time for a table. It is enough for a table whose rows take hours. */
export const TABLE_DEADLINE_MS = 6 * 3_600_000;
/** Maximum time to wait for a lock. Reading a table waits only for changes of the table itself, such as a migration. */
const LOCK_DEADLINE_MS = 60_000;
/** Compression level. Higher levels hardly save space and take three times as long. */
const GZIP_LEVEL = 3;

/**
 * Writes the tables of the schemas takt and bullmq as they are at one moment, while all apps continue. The memory does
 * not grow with the tables. Rejects with a BackupError if the database has no Takt, and otherwise with the error of
 * PostgreSQL or of the stream. Discard the output if it rejects.
 */
export async function writeBackup(output: Writable, options: BackupOptions): Promise<BackupReport> {
  const { url, signal } = options;
  const session = {
    url,
    applicationName: 'takt backup',
    statementTimeoutMs: TABLE_DEADLINE_MS,
    lockTimeoutMs: LOCK_DEADLINE_MS,
  };
  return withSession(session, async (client) => {
    if (await isCluster(client)) throw new BackupError(ONE_MOMENT);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const report = { takenAt: '', tables: 0, rows: 0, bytes: 0 };
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        report.bytes += chunk.length;
        done(null, chunk);
      },
    });
    const text = textOf(client, options, report);
    await pipeline(text, createGzip({ level: GZIP_LEVEL }), counted, output, { ...(signal && { signal }) });
    return report;
  });
}

/** The reason why a cluster cannot be backed up: its nodes have no common snapshot. */
const ONE_MOMENT =
  'the database is a cluster, whose nodes cannot be read as of one moment: back up the server of each node by its own means ' +
  '(docs/operating/scale.md)';

/**
 * Writes a backup to `path`. An older file is replaced only once the new file is complete and on disk. Only the owner
 * of the file can read it, because it contains hashes of secrets.
 */
export async function writeBackupFile(path: string, options: BackupOptions): Promise<BackupReport> {
  const partial = `${path}.part`;
  await rm(partial, { force: true });
  const handle = await open(partial, 'wx', 0o600);
  try {
    const report = await writeBackup(handle.createWriteStream({ flush: true }), options);
    await rename(partial, path);
    await syncDirectory(dirname(path));
    return report;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    await handle.close().catch(() => undefined);
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* textOf(
  client: pg.Client,
  { taktVersion, onProgress }: BackupOptions,
  report: { takenAt: string; tables: number; rows: number },
): AsyncGenerator<Buffer> {
  const header = await readHeader(client);
  report.takenAt = header.takenAt;
  yield Buffer.from(formatHeader({ format: FORMAT_VERSION, ...header, taktVersion }));
  const rows: Record<string, number> = {};
  for (const section of await findSections(client)) {
    yield Buffer.from(`${JSON.stringify(section)}\n`);
    let count = 0;
    for await (const chunk of client.query(copyTo(copyStatement(section)))) {
      count += countRows(chunk);
      onProgress?.(report.rows + count);
      yield chunk;
    }
    yield Buffer.from('\\.\n');
    rows[nameOf(section)] = count;
    report.tables += 1;
    report.rows += count;
  }
  // Sequences are read last. They ignore snapshots, and their values must be beyond all rows.
  const end: BackupEnd = { rows, sequences: await readSequences(client) };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}

/** The statement copies a query, because COPY does not accept partitioned tables. */
function copyStatement({ schema, table, columns }: BackupSection): string {
  const [from, ...names] = [table, ...columns].map(pg.escapeIdentifier);
  return `COPY (SELECT ${names.join(', ')} FROM ${schema}.${from}) TO STDOUT`;
}

async function readHeader(client: pg.Client) {
  const { rows } = await client.query<{ taken_at: Date; has_takt: boolean; has_queues: boolean }>(
    `SELECT now() AS taken_at, to_regclass('takt.schema_functions') IS NOT NULL AS has_takt,
       to_regclass('bullmq.migration') IS NOT NULL AS has_queues`,
  );
  const [found] = rows;
  if (found?.has_takt !== true) {
    throw new BackupError('the database holds no data of Takt: check DATABASE_URL, or run takt migrate');
  }
  const migrations = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM takt.schema_migrations ORDER BY number',
  );
  return {
    takenAt: found.taken_at.toISOString(),
    migrations: migrations.rows,
    queueSchemaVersion: found.has_queues ? await readQueueSchemaVersion(client) : null,
  };
}

/** Reads the version of BullMQ's tables. */
export async function readQueueSchemaVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0)::integer AS version FROM bullmq.migration',
  );
  return rows[0]?.version ?? 0;
}

/**
 * SQL for the tables to back up. It reads the catalogs, so that new tables are included. Generated columns and columns
 * that a restore creates are left out.
 */
const TABLES = `
  SELECT nspname AS schema, relname AS table,
    (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
     WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       AND (nspname, relname, attname) <> ($2, $3, $4)) AS columns,
    ARRAY(SELECT format('%s.%s', other_schema.nspname, other.relname)
      FROM pg_constraint
      JOIN pg_class other ON other.oid = confrelid
      JOIN pg_namespace other_schema ON other_schema.oid = other.relnamespace
      WHERE conrelid = class.oid AND contype = 'f') AS references
  FROM pg_class class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname IN ('takt', 'bullmq') AND relkind IN ('r', 'p') AND NOT relispartition
    AND format('%s.%s', nspname, relname) <> ALL ($1)
  ORDER BY nspname DESC, relname`;

type ReferringSection = BackupSection & { readonly references: readonly string[] };

async function findSections(client: pg.Client): Promise<readonly BackupSection[]> {
  const { schema: ofSchema, table: ofTable, column } = MADE_ANEW;
  const { rows } = await client.query<ReferringSection>(TABLES, [
    [...LEFT_OUT, SECRET_TABLE],
    ofSchema,
    ofTable,
    column,
  ]);
  return inOrderOfReferences(rows).map(({ schema, table, columns }) => ({ schema, table, columns }));
}

/**
 * Sorts tables so that each table comes after the tables that it references. Tables that reference each other keep the
 * given order.
 */
function inOrderOfReferences(tables: readonly ReferringSection[]): readonly BackupSection[] {
  const byName = new Map(tables.map((table) => [nameOf(table), table]));
  const seen = new Set<string>();
  const visit = (name: string): readonly ReferringSection[] => {
    const table = byName.get(name);
    if (table === undefined || seen.has(name)) return [];
    seen.add(name);
    return [...table.references.flatMap(visit), table];
  };
  return tables.map(nameOf).flatMap(visit);
}

async function readSequences(client: pg.Client): Promise<readonly BackupSequence[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, sequencename AS name FROM pg_sequences
     WHERE schemaname IN ('takt', 'bullmq') ORDER BY 1, 2`,
  );
  const sequences: BackupSequence[] = [];
  for (const { schema, name } of rows) {
    const state = await client.query<{ value: string; isCalled: boolean }>(
      `SELECT last_value AS value, is_called AS "isCalled" FROM ${schema}.${pg.escapeIdentifier(name)}`,
    );
    sequences.push(...state.rows.map((row) => ({ schema, name, ...row })));
  }
  return sequences;
}
