import { Buffer } from 'node:buffer';

/**
 * A backup is gzip, whose checksum detects damage and truncation, with lines of text (`zcat` shows them): a header; a
 * section per table, with a JSON line that names it, its rows in COPY format and a line `\.`; at the end the number of
 * rows per table and the state of sequences. Each table comes after those that it references.
 */
export const FORMAT_VERSION = 1;

export interface BackupHeader {
  readonly format: typeof FORMAT_VERSION;
  /** Time of the snapshot. */
  readonly takenAt: string;
  readonly taktVersion: string;
  /** In order of application; their number is the schema version. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  /** The version of BullMQ's tables; null if the database has no queues. */
  readonly queueSchemaVersion: number | null;
}

export interface BackupSection {
  readonly schema: 'takt' | 'bullmq';
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * Tables that no backup contains: records of migrations, which a restore writes by applying them, current states of
 * workers and dashboards, and stamps, which a restored database recreates.
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
 * Contains a secret in clear text that only this database needs. Backups omit it, and a restored database keeps the one
 * from its migrations. Older backups contain and restore it.
 */
export const SECRET_TABLE = 'takt.salt_secret';

/** A secret in clear text that only this database needs. Backups omit it, and a restore creates a new one. */
export const MADE_ANEW = { schema: 'takt', table: 'companies', column: 'access_key' } as const;

export interface BackupEnd {
  /** By qualified table name. */
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: readonly BackupSequence[];
}

export interface BackupSequence {
  readonly schema: string;
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** The file is not a backup, is damaged, or does not fit the database; the message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * The line that ends a section's rows, with the line end before it. COPY writes no such line, because it doubles
 * backslashes.
 */
export const END_OF_ROWS = Buffer.from('\n\\.\n');

export function nameOf({ schema, table }: Pick<BackupSection, 'schema' | 'table'>): string {
  return `${schema}.${table}`;
}

const NEWLINE = 0x0a;

/** The number of rows in a piece of COPY output, one per line. */
export function countRows(text: Buffer): number {
  let rows = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) rows++;
  return rows;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses the first line. Throws a BackupError for another kind of file or a newer format. */
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

/** Parses the line after the rows of a table: the next section or the end. Throws a BackupError. */
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
    // Reported below.
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
