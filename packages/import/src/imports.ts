import type pg from 'pg';
import type { ImportedKind } from './fields.js';
import { ImportError } from './mapping.js';

type Connection = pg.Pool | pg.ClientBase;

/** Writes an entry of the audit log, in the session that records the change. */
export type NoteAudit = (
  session: pg.ClientBase,
  action: 'import-begun' | 'import-undone',
  number: number,
  details: Readonly<Record<string, string>>,
) => Promise<void>;

/** Writes an entry as the owner of the database. The setting `takt.actor` of the session says who. */
export const noteAsOwner: NoteAudit = async (session, action, number, details) => {
  await session.query("SELECT takt.note_audit($1, 'import ' || $2::integer, $3)", [
    action,
    number,
    JSON.stringify(details),
  ]);
};

export interface Import {
  readonly number: number;
  readonly companyCode: string;
  readonly what: ImportedKind;
  readonly importedBy: string;
  readonly startedAt: Date;
  /** When the last event was in the queue; null if the import runs or was interrupted. */
  readonly publishedAt: Date | null;
  readonly undoneAt: Date | null;
  readonly fileName: string;
  readonly fileHash: string;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly faulty: number;
}

const COLUMNS = `
  import_id AS number, code AS "companyCode", what, imported_by AS "importedBy", started_at AS "startedAt",
  published_at AS "publishedAt", undone_at AS "undoneAt", file_name AS "fileName", file_hash AS "fileHash",
  number_of_new::float8 AS new, number_of_changed::float8 AS changed, number_of_unchanged::float8 AS unchanged,
  number_of_faulty::float8 AS faulty`;

/** Lists the imports of companies, newest first. */
export async function listImports(
  connection: Connection,
  companyCodes?: readonly string[],
): Promise<readonly Import[]> {
  const { rows } = await connection.query<Import>(
    `SELECT ${COLUMNS} FROM takt.imports JOIN takt.companies USING (company_id)
     WHERE $1::text[] IS NULL OR code = ANY ($1) ORDER BY import_id DESC LIMIT 1000`,
    [companyCodes ?? null],
  );
  return rows;
}

/** Finds an import by its number. Throws an ImportError if there is none. */
export async function findImport(
  connection: Connection,
  number: number,
): Promise<Import & { readonly companyId: number }> {
  const { rows } = await connection.query<Import & { readonly companyId: number }>(
    `SELECT ${COLUMNS}, company_id AS "companyId" FROM takt.imports JOIN takt.companies USING (company_id) WHERE import_id = $1`,
    [number],
  );
  const [found] = rows;
  if (found === undefined) throw new ImportError(`there is no import ${number}: takt import list shows them`);
  return found;
}

/** Returns the mappings of the last imports of a company as YAML, the newest first and each once. */
export async function readMappings(connection: Connection, companyCode: string): Promise<readonly string[]> {
  const { rows } = await connection.query<{ mapping: string }>(
    `SELECT mapping FROM takt.imports JOIN takt.companies USING (company_id)
     WHERE code = $1 AND mapping IS NOT NULL ORDER BY import_id DESC LIMIT 100`,
    [companyCode],
  );
  return [...new Set(rows.map(({ mapping }) => mapping))];
}

export interface StoredChange {
  readonly place: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>> | null;
}

const PAGE_SIZE = 1_000;

/** Yields the changes of an import in order, some at a time. */
export async function* readChanges(
  connection: Connection,
  { companyId, number }: { readonly companyId: number; readonly number: number },
): AsyncGenerator<readonly StoredChange[]> {
  let last = -1;
  for (;;) {
    const { rows } = await connection.query<StoredChange>(
      `SELECT place, data, before FROM takt.import_changes
       WHERE company_id = $1 AND import_id = $2 AND place > $3 ORDER BY place LIMIT $4`,
      [companyId, number, last, PAGE_SIZE],
    );
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.place ?? last;
  }
}
