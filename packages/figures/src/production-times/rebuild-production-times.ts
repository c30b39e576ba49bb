import type pg from 'pg';
import { readCompanies } from './read-pages.js';

/** What is locked and recomputed in one transaction, a structure version at least: workers wait at most for that long. */
const VERSIONS_PER_TRANSACTION = 200;
const OPERATIONS_PER_TRANSACTION = 100_000;

export interface RebuildReport {
  readonly structureVersions: number;
  /** Those whose stored figures differed from the ledger, or searched texts from the names, and were repaired. */
  readonly repaired: readonly { readonly database: string; readonly productStructureVersionId: number }[];
}

/**
 * Recomputes the figures of every structure version and its months from the ledger and what was pruned of it, and repairs what
 * differs, and what a search looks into, of one company or of all. Online: workers go on, each transaction holds a few hundred structure versions for a moment.
 * `onProgress` hears how many structure versions are done. Throws when the company is not registered.
 */
export async function rebuildProductionTimes(
  pool: pg.Pool,
  options: { readonly database?: string | undefined; readonly onProgress?: (done: number) => void } = {},
): Promise<RebuildReport> {
  const companies = await readCompanies(pool, options.database);
  const repaired: { database: string; productStructureVersionId: number }[] = [];
  let structureVersions = 0;
  for (const { companyId, code } of companies) {
    let after = '0';
    for (;;) {
      const versions = await nextVersions(pool, companyId, after, OPERATIONS_PER_TRANSACTION);
      const last = versions.at(-1);
      if (last === undefined) break;
      for (const id of await rebuild(pool, companyId, versions)) {
        repaired.push({ database: code, productStructureVersionId: Number(id) });
      }
      structureVersions += versions.length;
      options.onProgress?.(structureVersions);
      after = last;
    }
  }
  return { structureVersions, repaired };
}

/**
 * The next structure versions by key that have figures or operations; a lost figures' row is found too. Of how many
 * operations they are is taken from the figures, which may be wrong: then a transaction takes longer, or is smaller.
 */
export async function nextVersions(
  pool: pg.Pool,
  companyId: number,
  after: string,
  mostOperations: number,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string; operations: string }>(
    `SELECT id, coalesce(number_of_completed_operations, 0) AS operations FROM (
     (SELECT product_structure_version_id AS id FROM takt.product_structure_versions
      WHERE company_id = $1 AND product_structure_version_id > $2
      ORDER BY 1 LIMIT $3)
     UNION
     (SELECT DISTINCT product_structure_version_id FROM takt.work_order_operations
      WHERE company_id = $1 AND product_structure_version_id > $2
      ORDER BY 1 LIMIT $3)
     UNION
     (SELECT DISTINCT product_structure_version_id FROM takt.pruned_figures
      WHERE company_id = $1 AND product_structure_version_id > $2
      ORDER BY 1 LIMIT $3)
     UNION
     (SELECT DISTINCT product_structure_version_id FROM takt.monthly_figures
      WHERE company_id = $1 AND product_structure_version_id > $2
      ORDER BY 1 LIMIT $3)
     ) AS next
     LEFT JOIN takt.product_structure_versions ON company_id = $1 AND product_structure_version_id = id
     ORDER BY id LIMIT $3`,
    [companyId, after, VERSIONS_PER_TRANSACTION],
  );
  let operations = 0;
  const beyond = rows.findIndex((row) => {
    operations += Number(row.operations);
    return operations > mostOperations;
  });
  return rows.slice(0, beyond < 0 ? rows.length : Math.max(1, beyond)).map((row) => row.id);
}

async function rebuild(
  pool: pg.Pool,
  companyId: number,
  versions: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM takt.rebuild_production_times($1, $2) AS id ORDER BY id',
    [companyId, versions],
  );
  return rows.map((row) => row.id);
}
