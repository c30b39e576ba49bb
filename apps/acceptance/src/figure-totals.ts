import type pg from 'pg';
import type { OperationHistory } from './operation-history.js';

/** Counts and sums (in microhours) of one structure version, as text: `operations/run setup/count cleanup/count`. */
export type FigureTotals = ReadonlyMap<number, string>;

interface Totals {
  operations: bigint;
  run: bigint;
  setup: bigint;
  setupCount: bigint;
  cleanup: bigint;
  cleanupCount: bigint;
}

/** What the figures of each structure version with completed operations must add up to. */
export function expectedTotals({ newest }: OperationHistory): FigureTotals {
  const totals = new Map<number, Totals>();
  for (const { structureVersion, run, setup, cleanup } of newest.values()) {
    if (structureVersion === null) continue;
    const known = totals.get(structureVersion) ?? {
      operations: 0n,
      run: 0n,
      setup: 0n,
      setupCount: 0n,
      cleanup: 0n,
      cleanupCount: 0n,
    };
    known.operations += 1n;
    known.run += run ?? 0n;
    known.setup += setup ?? 0n;
    known.setupCount += setup === null ? 0n : 1n;
    known.cleanup += cleanup ?? 0n;
    known.cleanupCount += cleanup === null ? 0n : 1n;
    totals.set(structureVersion, known);
  }
  return new Map(Array.from(totals, ([version, total]) => [version, toText(total)]));
}

function toText({ operations, run, setup, setupCount, cleanup, cleanupCount }: Totals): string {
  return `${operations}/${run} ${setupCount}/${setup} ${cleanupCount}/${cleanup}`;
}

/** What the figures of a company's structure versions do add up to. */
export async function readTotals(pool: pg.Pool, database: string): Promise<FigureTotals> {
  const { rows } = await pool.query<{ version: number; totals: string }>(
    `SELECT product_structure_version_id::float8 AS version,
       concat(number_of_completed_operations, '/', trim_scale(run_time_sum * 1000000), ' ',
         setup_time_count, '/', trim_scale(setup_time_sum * 1000000), ' ',
         cleanup_time_count, '/', trim_scale(cleanup_time_sum * 1000000)) AS totals
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND number_of_completed_operations <> 0`,
    [database],
  );
  return new Map(rows.map(({ version, totals }) => [version, totals]));
}
