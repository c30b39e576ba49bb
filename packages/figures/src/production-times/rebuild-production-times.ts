import type pg from 'pg';
import { readVersionKeys, type VersionName } from './object-names.js';
import { readCompanies } from './read-pages.js';

/** Number of structure versions that are recomputed in one transaction. Workers wait for the transaction. */
const VERSIONS_PER_TRANSACTION = 200;
const OPERATIONS_PER_TRANSACTION = 100_000;

interface RepairedVersion extends VersionName {
  readonly database: string;
}

export interface RebuildReport {
  readonly structureVersions: number;
  /** The structure versions whose figures, search texts or keys were wrong and have been repaired. */
  readonly repaired: readonly RepairedVersion[];
}

/**
 * Recomputes the figures of all structure versions and months of one or all companies, and repairs differences. The
 * recomputation uses the ledger and the sums of pruned operations. Search texts are repaired as well. Workers may write
 * meanwhile; each transaction briefly locks a few hundred structure versions. `onProgress` receives the number of
 * finished structure versions. Throws if the company is not registered.
 */
export async function rebuildProductionTimes(
  pool: pg.Pool,
  options: { readonly database?: string | undefined; readonly onProgress?: (done: number) => void } = {},
): Promise<RebuildReport> {
  const companies = await readCompanies(pool, options.database);
  const repaired: RepairedVersion[] = [];
  let structureVersions = 0;
  for (const { companyId, code } of companies) {
    let after = '0';
    for (;;) {
      const versions = await nextVersions(pool, companyId, after, OPERATIONS_PER_TRANSACTION);
      const last = versions.at(-1);
      if (last === undefined) break;
      const ids = (await rebuild(pool, companyId, versions)).map(Number);
      const keys = await readVersionKeys(pool, companyId, ids);
      for (const productStructureVersionId of ids) {
        const productStructureVersionKey = keys.get(productStructureVersionId) ?? null;
        repaired.push({ database: code, productStructureVersionId, productStructureVersionKey });
      }
      structureVersions += versions.length;
      options.onProgress?.(structureVersions);
      after = last;
    }
  }
  return { structureVersions, repaired };
}

/**
 * Returns the next structure versions, by key, that have figures or operations, even if their row of figures is lost.
 * The number of operations comes from the figures. If that number is wrong, a transaction merely takes longer or is
 * smaller.
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
