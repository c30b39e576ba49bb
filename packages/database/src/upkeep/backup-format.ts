import { Buffer } from 'node:buffer';

/**
 * A backup is a gzip file with lines of text (`zcat` shows them); the checksum of gzip detects damage and truncation.
 * The lines are: a header; a section for each table, which has a JSON line with the name of the table, the rows of the
 * table in COPY format and a line `\.`; and at the end the number of rows of each table and the state of the sequences.
 * Each table comes after the tables that it references.
 */
export const FORMAT_VERSION = 1;

export interface BackupHeader {
  readonly format: typeof FORMAT_VERSION;
  /** Time at which the snapshot of the database was taken. */
  readonly takenAt: string;
  readonly taktVersion: string;
  /** The migrations in the order of their application. The number of migrations is the version of the schema. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  /** The version of BullMQ's tables. Null if the database has no queues. */
  readonly queueSchemaVersion: number | null;
}

export interface BackupSection {
  readonly schema: 'takt' | 'bullmq';
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * Tables that no backup contains. A restore writes the records of migrations when it applies the migrations. The
 * current states of workers and dashboards are of no use after a restore. A restored database recreates stamps.
 */
export const LEFT_OUT: readonly string[] = [
  'takt.schema_migrations',
  'takt.schema_functions',
  'takt.worker_reports',
  'takt.flow_history',
  'takt.alarms',
  'takt.alarm_notices',
  'takt.company_changes',
  'bullmq.migration',
];

/**
 * A table with a secret in clear text that only this database needs. Backups leave out the table, and a restored
 * database keeps the secret that its migrations made. Older backups contain the secret, and a restore of such a backup
 * restores the secret.
 */
export const SECRET_TABLE = 'takt.salt_secret';

/**
 * A column with a secret in clear text that only this database needs. Backups leave out the column, and a restore
 * creates new secrets.
 */
export const MADE_ANEW = { schema: 'takt', table: 'companies', column: 'access_key' } as const;

export interface BackupEnd {
  /** Number of rows by the qualified name of the table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: readonly BackupSequence[];
}

export interface BackupSequence {
  readonly schema: string;
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** Thrown if a file is not a backup, is damaged, or does not fit the database. The message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * The line that ends the rows of a section, together with the preceding line end. The rows cannot contain such a line,
 * because COPY doubles backslashes.
 */
export const END_OF_ROWS = Buffer.from('\n\\.\n');

export function nameOf({ schema, table }: Pick<BackupSection, 'schema' | 'table'>): string {
  return `${schema}.${table}`;
}

const NEWLINE = 0x0a;

/** Counts the rows in a piece of COPY output, which has one row per line. */
export function countRows(text: Buffer): number {
  let rows = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) rows++;
  return rows;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses the first line of a backup. Throws a BackupError if the file is of another kind or of a newer format. */
export function parseHeader(line: string): BackupHeader {
  const { takt, format, takenAt, taktVersion, migrations, queueSchemaVersion } = parseFields(line);
  if (takt !== 'backup') throw new BackupError(NO_BACKUP);
  if (format !== FORMAT_VERSION) {
    throw new BackupError(
      `its format is ${String(format)}, this Takt reads ${FORMAT_VERSION}: use a newer Takt`,
    );
  }
  if (
    typeof takenAt === 'string' &&
    typeof taktVersion === 'string' &&
    Array.isArray(migrations) &&
    migrations.every(isMigration) &&
    (queueSchemaVersion === null || typeof queueSchemaVersion === 'number')
  ) {
    return { format, takenAt, taktVersion, migrations, queueSchemaVersion };
  }
  throw new BackupError(NO_BACKUP);
}

export function formatHeader(header: BackupHeader): string {
  return `${JSON.stringify({ takt: 'backup', ...header })}\n`;
}

/**
 * Parses the line after the rows of a table, which starts the next section or the end of the backup. Throws a
 * BackupError if it is neither.
 */
export function parseSectionOrEnd(line: string): BackupSection | BackupEnd {
  const { schema, table, columns, rows, sequences } = parseFields(line);
  if (isRowCounts(rows) && Array.isArray(sequences) && sequences.every(isSequence)) {
    return { rows, sequences };
  }
  if (
    (schema === 'takt' || schema === 'bullmq') &&
    typeof table === 'string' &&
    Array.isArray(columns) &&
    columns.every((column) => typeof column === 'string')
  ) {
    return { schema, table, columns };
  }
  throw new BackupError('the start of a table is damaged');
}

export const NO_BACKUP = 'it is not a backup of Takt';

function parseFields(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (isFields(value)) return value;
  } catch {
    // The error is reported below.
  }
  throw new BackupError(NO_BACKUP);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isMigration(value: unknown): value is BackupHeader['migrations'][number] {
  return isFields(value) && typeof value['name'] === 'string' && typeof value['checksum'] === 'string';
}

function isRowCounts(value: unknown): value is BackupEnd['rows'] {
  return isFields(value) && Object.values(value).every((count) => Number.isSafeInteger(count));
}

function isSequence(value: unknown): value is BackupSequence {
  return (
    isFields(value) &&
    [value['schema'], value['name'], value['value']].every((text) => typeof text === 'string') &&
    typeof value['isCalled'] === 'boolean'
  );
}
