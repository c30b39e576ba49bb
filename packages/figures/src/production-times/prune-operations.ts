import type pg from 'pg';
import { readCompanies } from './read-pages.js';

/**
 * Operations that were changed within this number of days cannot be pruned, because a pruned operation can no longer be
 * corrected.
 */
export const YOUNGEST_DAYS = 90;

export interface PruneOptions {
  readonly database: string;
  /** The first day to keep, `yyyy-MM-dd` in UTC. Operations that were last changed before this day are pruned. */
  readonly before: string;
}

export interface PrunePlan {
  readonly operations: number;
  readonly structureVersions: number;
  /**
   * Number of rows with sums that would replace the operations. There is one row for each structure version and month.
   */
  readonly sums: number;
}

export interface PruneReport {
  readonly operations: number;
  readonly structureVersions: number;
}

/**
 * Counts the operations that pruneOperations would remove, and changes nothing. Rejects if the company is not
 * registered or the day is too recent.
 */
export async function planPruning(pool: pg.Pool, { database, before }: PruneOptions): Promise<PrunePlan> {
  const companyId = await readCompanyId(pool, database);
  await assertOldEnough(pool, before);
  const { rows } = await pool.query<{ operations: string; versions: string; sums: string }>(
    `SELECT coalesce(sum(operations), 0) AS operations, count(*) AS sums,
       count(DISTINCT product_structure_version_id) AS versions
     FROM (
       SELECT product_structure_version_id, 
         takt.month_of(changed_at, takt.time_zone_in(product_structure_version_id, time_zone, time_zone_before, rebuilt_to)),
         count(*) AS operations
       FROM takt.work_order_operations LEFT JOIN takt.month_zones AS zones USING (company_id)
       WHERE company_id = $1 AND product_structure_version_id IS NOT NULL
         AND changed_at < $2::date::timestamp AT TIME ZONE 'UTC'
       GROUP BY 1, 2
     ) AS by_month`,
    [companyId, before],
  );
  const { operations = 0, versions = 0, sums = 0 } = rows[0] ?? {};
  return { operations: Number(operations), structureVersions: Number(versions), sums: Number(sums) };
}

/**
 * Prunes a company: removes its completed operations that were last changed before a day from the ledger, and adds them
 * to sums that preserve all figures. Workers may write meanwhile. The work is done in steps of about a thousand
 * operations, and the batches of the company wait for the transaction of each step. A repeated call continues an
 * interrupted run. `onProgress` receives the number of pruned operations. Rejects if the company is not registered or
 * the day is too recent. Only the owner of the database may call it.
 */
export async function pruneOperations(
  pool: pg.Pool,
  { database, before, onProgress }: PruneOptions & { readonly onProgress?: (operations: number) => void },
): Promise<PruneReport> {
  const companyId = await readCompanyId(pool, database);
  await assertOldEnough(pool, before);
  const structureVersions = new Set<string>();
  let operations = 0;
  let after = '0';
  for (;;) {
    const { rows } = await pool.query<{ upTo: string | null; operations: string; versions: string[] }>(
      'SELECT up_to AS "upTo", operations, versions FROM takt.prune_operations($1, $2, $3)',
      [companyId, before, after],
    );
    const step = rows[0];
    if (step === undefined || step.upTo === null) break;
    for (const version of step.versions) structureVersions.add(version);
    operations += Number(step.operations);
    after = step.upTo;
    onProgress?.(operations);
  }
  return { operations, structureVersions: structureVersions.size };
}

async function readCompanyId(pool: pg.Pool, database: string): Promise<number> {
  const [company] = await readCompanies(pool, database);
  if (company === undefined) throw new Error(`company ${database} is not registered`);
  return company.companyId;
}

/** Checks the day by the clock of the database. */
async function assertOldEnough(pool: pg.Pool, before: string): Promise<void> {
  const { rows } = await pool.query<{ newest: string; isOld: boolean }>(
    `SELECT newest::text, $1::date <= newest AS "isOld"
     FROM (SELECT (now() AT TIME ZONE 'UTC')::date - $2::integer AS newest) AS limits`,
    [before, YOUNGEST_DAYS],
  );
  const { newest, isOld } = rows[0] ?? {};
  if (isOld === true) return;
  throw new Error(
    `operations from before ${before} cannot be pruned: what was changed in the last ${YOUNGEST_DAYS} days may still be ` +
      `corrected, so ${newest} is the latest day`,
  );
}
