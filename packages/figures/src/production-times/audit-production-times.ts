import type pg from 'pg';
import { type FigureDifference, findDifferences } from './figures.js';
import { findMonthlyDifferences } from './monthly-figures.js';
import { fetchPages, readCompanies } from './read-pages.js';
import { readStructureVersions } from './read-structure-versions.js';

/**
 * A figure that is not what the stored operations give, both as decimal text, or a text that a search looks into and that
 * is not what the names give; null where there is none.
 */
export interface AuditDifference extends FigureDifference {
  readonly database: string;
  readonly productStructureVersionId: number;
  /** `2024-01`; absent where it is a figure of the structure version. */
  readonly month?: string;
}

export interface AuditReport {
  /** Structure versions with completed operations, figures or both. */
  readonly structureVersions: number;
  /** Completed operations in the ledger. */
  readonly operations: number;
  readonly differences: readonly AuditDifference[];
}

/**
 * Recomputes every figure of one company, those of months too, or of all, from the stored operations and the sums of those that were pruned,
 * and compares exactly. The database hands over the rows of both as they are and computes nothing. What a search looks into
 * is compared as well. All is read in one snapshot, so the report is right while workers write. `onProgress` hears how many
 * structure versions are done.
 *
 * Throws when the company is not registered.
 */
export async function auditProductionTimes(
  pool: pg.Pool,
  options: {
    readonly database?: string | undefined;
    readonly onProgress?: (doneStructureVersions: number) => void;
  } = {},
): Promise<AuditReport> {
  return inOneSnapshot(pool, async (connection) => {
    const differences: AuditDifference[] = [];
    let structureVersions = 0;
    let operations = 0;
    for (const { companyId, code } of await readCompanies(connection, options.database)) {
      for await (const version of readStructureVersions(connection, companyId)) {
        const { id, times, pruned, stored, months } = version;
        for (const difference of [
          ...findDifferences(stored, times, pruned),
          ...findMonthlyDifferences(months),
        ]) {
          differences.push({ database: code, productStructureVersionId: Number(id), ...difference });
        }
        structureVersions += 1;
        operations += times.run.length;
        options.onProgress?.(structureVersions);
      }
      for await (const { id, ...difference } of findTextDifferences(connection, companyId)) {
        differences.push({ database: code, productStructureVersionId: Number(id), ...difference });
      }
    }
    return { structureVersions, operations, differences };
  });
}

/** Runs a task in a transaction that sees the database as it is now and never as it becomes. */
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
    // Whatever state it is in, the next user must not inherit it.
    connection.release(true);
    throw error;
  }
}

interface TextDifference extends FigureDifference {
  readonly id: string;
}

/** What a search looks into, as `takt audit` names it. */
const SEARCHED_TEXT = 'searchedText';

/**
 * Listed structure versions of a company which a search would not find by their names, for another text is kept of them
 * than these give, by key. The database compares: how it folds letters cannot be said a second time. A text that is kept of
 * no listed structure version finds nothing. To be called inside a transaction whose snapshot stays.
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
        SELECT takt.searched_text(product_name, name, product_id, product_structure_version_id) AS folded) AS searched
      LEFT JOIN takt.structure_version_texts AS known USING (company_id, product_structure_version_id)
      WHERE company_id = $1 AND listed.changed_at IS NOT NULL AND known.folded IS DISTINCT FROM searched.folded
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  for await (const rows of pages) {
    for (const { id, stored, recomputed } of rows) yield { id, figure: SEARCHED_TEXT, stored, recomputed };
  }
}
