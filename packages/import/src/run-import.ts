import { inTransaction } from '@takt/database';
import type { Publisher } from '@takt/events';
import type pg from 'pg';
import { type Comparison, compareWithStored, prepared, toEvent } from './compare.js';
import { findImport, type NoteAudit, noteAsOwner, readChanges } from './imports.js';
import { findLayout } from './layout.js';
import { formatMapping, ImportError, type Mapping } from './mapping.js';
import { fillerOf, type ImportedRow, prepareReader, type Understanding } from './records.js';
import { combineRows, type FaultyRow, readFaultyRows, stageRows } from './stage.js';
import { namingOf, readStates, type StoredState } from './stored-states.js';
import type { TableFile } from './table-file.js';
import type { FaultyLayout } from './write-faulty.js';

const MAX_ROWS = 2_000_000;
const SAMPLE_ROWS = 5;

export interface Preview extends Comparison {
  readonly understanding: Understanding;
  readonly headings: readonly string[];
  /** The first rows below the headings, as they are. */
  readonly sample: readonly (readonly string[])[];
  readonly headingLine: number;
  /** Number of rows below the headings. */
  readonly rows: number;
  /** Number of rows that the conditions of the mapping leave out. */
  readonly leftOut: number;
  /** Number of rows that lie in the hour that occurs twice; they are read as the first. */
  readonly doubled: number;
  readonly faulty: number;
  /** Number of faulty rows without a name that are to be added up: each may belong to any operation, so nothing is imported. */
  readonly unnamed: number;
}

export interface ImportOptions {
  readonly companyCode: string;
  readonly mapping: Mapping;
  /** The name of who imports, for the list of imports and the audit log. */
  readonly importedBy: string;
  /** True if faulty rows are left out. Otherwise nothing is imported if there are any. */
  readonly skipsFaulty: boolean;
  /** True if the import may go on in spite of doubts. */
  readonly ignoresDoubts: boolean;
  /** Writes the entry of the audit log. By default, the owner of the database does. It may throw to stop the import. */
  readonly noteAudit?: NoteAudit | undefined;
  /** False if the times of operations are not compared with plans, to raise doubts. Default true. */
  readonly comparesPlans?: boolean;
  readonly dryRun: boolean;
  readonly onProgress?: (bytes: number) => void;
  /** Called with the number of compared objects, first with 0 when the whole file is read. */
  readonly onCompared?: (objects: number) => void;
  /** Takes the faulty rows by line, some at a time, with the layout of the file. */
  readonly onFaulty?: (rows: readonly FaultyRow[], layout: FaultyLayout) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** The number of an import that was recorded, or undefined if there was nothing to change or it must not go on. */
export interface PreparedImport extends Preview {
  readonly number: number | undefined;
}

/**
 * Reads a file, compares it with what is stored, and records the changes and the states before in one transaction. Nothing
 * is published. Throws an ImportError if the file, its mapping or the company cannot be used.
 */
export async function prepareImport(
  pool: pg.Pool,
  file: TableFile,
  options: ImportOptions,
): Promise<PreparedImport> {
  const { companyCode: code, noteAudit = noteAsOwner } = options;
  // A workbook has numbers, whose decimal sign is known.
  const decimal = file.sheet === undefined ? options.mapping.file.decimal : '.';
  const mapping = { ...options.mapping, file: { ...options.mapping.file, decimal } };
  const company = await findCompany(pool, code);
  const layout = await findLayout(file, mapping);
  const reader = prepareReader(mapping, layout, { zone: company.timeZone });
  const [seen, time] = [{ rows: 0, leftOut: 0, unnamed: 0 }, new Date().toISOString()];

  async function* rows(): AsyncGenerator<ImportedRow> {
    for await (const row of file.rows(options.onProgress)) {
      if (row.line <= layout.headingLine) continue;
      options.signal?.throwIfAborted();
      seen.rows += 1;
      assertRows(seen.rows, file);
      const read = reader.read(row);
      if (read === undefined) {
        seen.leftOut += 1;
        continue;
      }
      if (read.object === '') seen.unnamed += Number(mapping.combine === 'sum');
      yield read;
    }
  }

  return inTransaction(pool, async (session) => {
    await session.query(`SET LOCAL statement_timeout = 0; SAVEPOINT before_import`);
    const { doubled } = await stageRows(session, rows());
    options.onCompared?.(0);
    await combineRows(session, mapping);
    const number = options.dryRun
      ? 0
      : await record(session, {
          file,
          companyId: company.companyId,
          mapping: options.mapping,
          by: options.importedBy,
        });
    let [place, compared] = [0, 0];
    const { comparesPlans = true } = options;
    const target = { companyId: company.companyId, code, mapping, time, comparesPlans };
    const comparison = await compareWithStored(session, target, async (changes, objects) => {
      options.signal?.throwIfAborted();
      compared += objects;
      options.onCompared?.(compared);
      if (!options.dryRun) {
        await recordChanges(session, { companyId: company.companyId, number, place }, changes);
      }
      place += changes.length;
    });
    const fill = fillerOf(mapping.file.fill.map(layout.indexOf));
    const ofFaulty: FaultyLayout = { headings: layout.headings, headingLine: layout.headingLine, fill };
    const faulty = await countFaulty(session, (page) => options.onFaulty?.(page, ofFaulty));
    const preview = {
      ...comparison,
      ...seen,
      doubled,
      faulty,
      understanding: reader.understanding,
      headings: layout.headings,
      sample: layout.sample.slice(0, SAMPLE_ROWS).map(({ cells }) => cells),
      headingLine: layout.headingLine,
    };
    const isRefused =
      seen.unnamed > 0 ||
      (faulty > 0 && !options.skipsFaulty) ||
      (comparison.doubts.length > 0 && !options.ignoresDoubts);
    if (options.dryRun || isRefused || place === 0) {
      await session.query('ROLLBACK TO before_import');
      return { ...preview, number: undefined };
    }
    await session.query(
      `UPDATE takt.imports SET number_of_new = $2, number_of_changed = $3, number_of_unchanged = $4, number_of_faulty = $5
       WHERE company_id = $6 AND import_id = $1`,
      [number, comparison.new, comparison.changed, comparison.unchanged, faulty, company.companyId],
    );
    await noteAudit(session, 'import-begun', number, { file: file.name, company: code });
    return { ...preview, number };
  });
}

function assertRows(rows: number, { name }: TableFile): void {
  if (rows > MAX_ROWS) {
    throw new ImportError(`${name} has more than ${MAX_ROWS} rows: divide it into several files`);
  }
}

async function findCompany(
  pool: pg.Pool,
  code: string,
): Promise<{ readonly companyId: number; readonly timeZone: string }> {
  const { rows } = await pool.query<{ companyId: number; timeZone: string; isDisabled: boolean }>(
    `SELECT company_id AS "companyId", time_zone AS "timeZone", disabled_at IS NOT NULL AS "isDisabled"
     FROM takt.companies WHERE code = $1`,
    [code],
  );
  const [company] = rows;
  if (company === undefined) {
    throw new ImportError(`no company has the code ${code}: takt company add ${code} NAME registers it`);
  }
  if (company.isDisabled) {
    throw new ImportError(`the company ${code} is disabled: takt company enable ${code}`);
  }
  return company;
}

async function record(
  session: pg.ClientBase,
  {
    file,
    companyId,
    mapping,
    by,
  }: { readonly file: TableFile; readonly companyId: number; readonly mapping: Mapping; readonly by: string },
): Promise<number> {
  const { rows } = await session.query<{ number: number }>(
    `INSERT INTO takt.imports (company_id, what, imported_by, file_name, file_hash, mapping, number_of_new,
       number_of_changed, number_of_unchanged, number_of_faulty)
     VALUES ($1, $2, $3, $4, $5, $6, 0, 0, 0, 0) RETURNING import_id AS number`,
    [companyId, mapping.what, by, file.name, file.hash, formatMapping(mapping)],
  );
  return rows[0]?.number ?? 0;
}

async function recordChanges(
  session: pg.ClientBase,
  {
    companyId,
    number,
    place,
  }: { readonly companyId: number; readonly number: number; readonly place: number },
  changes: readonly object[],
): Promise<void> {
  if (changes.length === 0) return;
  await session.query(
    `INSERT INTO takt.import_changes (company_id, import_id, place, data, before)
     SELECT $1, $2, $3 + ordinality - 1, change.data, nullif(change.before, 'null')
     FROM ROWS FROM (json_to_recordset($4) AS (data jsonb, before jsonb)) WITH ORDINALITY AS change`,
    [companyId, number, place, JSON.stringify(changes)],
  );
}

async function countFaulty(
  session: pg.ClientBase,
  take: (rows: readonly FaultyRow[]) => Promise<void> | undefined,
): Promise<number> {
  let faulty = 0;
  for await (const page of readFaultyRows(session)) {
    faulty += page.length;
    await take(page);
  }
  return faulty;
}

/** Publishes the recorded changes of an import. Safe to repeat. */
export async function publishImport(
  pool: pg.Pool,
  publisher: Pick<Publisher, 'publishPrepared'>,
  number: number,
  {
    onProgress,
    signal,
  }: { readonly onProgress?: (events: number) => void; readonly signal?: AbortSignal } = {},
): Promise<number> {
  const found = await findImport(pool, number);
  const { what, companyId } = found;
  const time = found.startedAt.toISOString();
  let published = 0;
  for await (const changes of readChanges(pool, { companyId, number })) {
    signal?.throwIfAborted();
    const events = changes.map(({ data, place }) =>
      prepared(toEvent(what, data, { import: number, place, time })),
    );
    await publisher.publishPrepared(events, { batchSize: 500 });
    published += events.length;
    onProgress?.(published);
  }
  await pool.query('UPDATE takt.imports SET published_at = now() WHERE company_id = $1 AND import_id = $2', [
    companyId,
    number,
  ]);
  return published;
}

/** Counts the changes of an import that are not stored: they wait in a queue, or were rejected. */
export async function countUnapplied(pool: pg.Pool, number: number): Promise<number> {
  const { what, companyId } = await findImport(pool, number);
  let unapplied = 0;
  for await (const changes of readChanges(pool, { companyId, number })) {
    const { byKey, nameOf } = namingOf(what, changes[0]?.data);
    const states = await readStates(
      pool,
      { companyId, what, byKey },
      changes.map(({ data }) => nameOf(data)),
    );
    const isOther = ({ revision, source, id }: StoredState, own: number, ownId: string) =>
      revision === own && source !== null && (source !== `/takt/import/${number}` || id !== ownId);
    unapplied += changes.filter(({ data, place }) => {
      const state = states.get(nameOf(data));
      if (state === undefined) return true;
      return what === 'operations'
        ? state.revision < Number(data['revision']) ||
            isOther(state, Number(data['revision']), `${number}-${place}`)
        : Date.parse(state.changedAt ?? '') < Date.parse(String(data['changedAt']));
    }).length;
  }
  return unapplied;
}
