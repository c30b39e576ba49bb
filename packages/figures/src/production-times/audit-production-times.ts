import type pg from 'pg';
import { type FigureDifference, findDifferences } from './figures.js';
import { findMonthlyDifferences } from './monthly-figures.js';
import { readVersionKeys, type VersionName } from './object-names.js';
import { fetchPages, readCompanies } from './read-pages.js';
import { readStructureVersions } from './read-structure-versions.js';

/**
 * A stored figure that differs from a recomputation, with both values as decimal text. It may also be a search text
 * that differs from the names, or a copy of a key. A value is null if it does not exist.
 */
export interface AuditDifference extends FigureDifference, VersionName {
  readonly database: string;
  /** The month, such as `2024-01`; absent if the figure belongs to the structure version as a whole. */
  readonly month?: string;
}

export interface AuditReport {
  /** Number of structure versions that have completed operations or figures. */
  readonly structureVersions: number;
  /** Number of completed operations in the ledger. */
  readonly operations: number;
  readonly differences: readonly AuditDifference[];
}

/**
 * Recomputes all figures of one or all companies, including monthly figures, and compares them exactly with the stored
 * figures. The recomputation uses the stored operations and the sums of pruned operations. The database only returns
 * stored rows and computes nothing. Search texts and copies of keys are compared as well. The audit reads one snapshot, so the report is
 * right even while workers write. `onProgress` receives the number of finished structure versions. Throws if the
 * company is not registered.
 */
export async function auditProductionTimes(
  pool: pg.Pool,
  options: {
    readonly database?: string | undefined;
    readonly onProgress?: (doneStructureVersions: number) => void;
  } = {},
): Promise<AuditReport> {
  return inOneSnapshot(pool, async (connection) => {
    let differences: readonly AuditDifference[] = [];
    let structureVersions = 0;
    let operations = 0;
    for (const company of await readCompanies(connection, options.database)) {
      const found: FoundDifference[] = [];
      for await (const version of readStructureVersions(connection, company.companyId)) {
        for (const one of differencesOf(version)) found.push(one);
        structureVersions += 1;
        operations += version.times.run.length;
        options.onProgress?.(structureVersions);
      }
      for await (const one of findTextDifferences(connection, company.companyId)) found.push(one);
      for await (const one of findKeyDifferences(connection, company.companyId)) found.push(one);
      differences = [...differences, ...(await named(connection, company, found))];
    }
    return { structureVersions, operations, differences };
  });
}

interface FoundDifference extends FigureDifference {
  readonly id: string;
  readonly month?: string;
}

function differencesOf({ id, times, pruned, stored, months }: AuditedVersion): readonly FoundDifference[] {
  return [...findDifferences(stored, times, pruned), ...findMonthlyDifferences(months)].map((one) => ({
    id: String(id),
    ...one,
  }));
}

type AuditedVersion = Awaited<ReturnType<ReturnType<typeof readStructureVersions>['next']>>['value'] & object;

async function named(
  connection: pg.ClientBase,
  { companyId, code }: Awaited<ReturnType<typeof readCompanies>>[number],
  found: readonly FoundDifference[],
): Promise<readonly AuditDifference[]> {
  const ids = found.map(({ id }) => Number(id));
  const keys = await readVersionKeys(connection, companyId, ids);
  return found.map(({ id, ...difference }) => {
    const productStructureVersionId = Number(id);
    const productStructureVersionKey = keys.get(productStructureVersionId) ?? null;
    return { database: code, productStructureVersionId, productStructureVersionKey, ...difference };
  });
}

export async function inOneSnapshot<Result>(
  pool: pg.Pool,
  task: (connection: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await task(connection);
    await connection.query('COMMIT');
    connection.release();
    return result;
  } catch (error) {
    // The connection is closed, because the next user must not inherit its state.
    connection.release(true);
    throw error;
  }
}

interface TextDifference extends FigureDifference {
  readonly id: string;
}

/** Name under which the output of `takt audit` shows the search text. */
const SEARCHED_TEXT = 'searchedText';

/**
 * Yields the listed structure versions of a company whose stored search text differs from their names, sorted by key.
 * The database compares the texts, because its case folding cannot be repeated here. Call this inside a transaction
 * that reads one snapshot.
 */
async function* findTextDifferences(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<TextDifference> {
  const pages = fetchPages<Omit<TextDifference, 'figure'>>(connection, {
    cursorName: 'audited_texts',
    text: `SELECT product_structure_version_id AS id, known.folded AS stored, searched.folded AS recomputed
      FROM takt.product_structure_versions AS listed
      CROSS JOIN LATERAL (
        SELECT takt.searched_text(product_name, name, product_id, product_structure_version_id, product_key,
          product_structure_version_key) AS folded) AS searched
      LEFT JOIN takt.structure_version_texts AS known USING (company_id, product_structure_version_id)
      WHERE company_id = $1 AND listed.changed_at IS NOT NULL AND known.folded IS DISTINCT FROM searched.folded
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  for await (const rows of pages) {
    for (const { id, stored, recomputed } of rows) yield { id, figure: SEARCHED_TEXT, stored, recomputed };
  }
}

/** Yields the structure versions of a company whose copies of keys differ from the keys, sorted by key. */
async function* findKeyDifferences(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<TextDifference> {
  for (const [figure, stored, recomputed] of [
    ['productStructureVersionKey', 'listed.product_structure_version_key', 'own.key COLLATE "und-x-icu"'],
    ['productKey', 'listed.product_key', 'product.product_key'],
  ] as const) {
    const pages = fetchPages<Omit<TextDifference, 'figure'>>(connection, {
      cursorName: `audited_${figure}`,
      text: `SELECT product_structure_version_id AS id, ${stored} AS stored, ${recomputed} AS recomputed
        FROM takt.product_structure_versions AS listed
        LEFT JOIN takt.object_keys AS own ON own.company_id = listed.company_id AND own.kind = 'version'
          AND own.number = listed.product_structure_version_id
        LEFT JOIN takt.products AS product ON product.company_id = listed.company_id
          AND product.product_id = listed.product_id
        WHERE listed.company_id = $1 AND ${stored} IS DISTINCT FROM ${recomputed}
        ORDER BY product_structure_version_id`,
      values: [companyId],
    });
    for await (const rows of pages) for (const row of rows) yield { ...row, figure };
  }
}
