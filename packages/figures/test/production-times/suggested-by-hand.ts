import { roundHalfUp } from '@takt/test-support';
import type pg from 'pg';
import { KINDS } from './plans.js';

/**
 * An expected suggestion: the text `id-kind`, the planned time, the suggested time, the hours a year in microhours, and
 * the number of operations.
 */
export interface ExpectedSuggestion {
  readonly name: string;
  readonly planned: bigint;
  readonly suggested: bigint;
  readonly operations: number;
  readonly microhoursAYear: bigint;
}

interface Operation {
  readonly version: string;
  /** The number of months since year 0. */
  readonly month: number;
  /** The reported times in microhours; null if the operation does not report the time. */
  readonly times: Readonly<Record<(typeof KINDS)[number], string | null>>;
}

/**
 * Computes the suggestions by their rule, from the operations in the ledger and from the plans. The largest change
 * comes first.
 */
export async function suggestByHand(
  pool: pg.Pool,
  options: { readonly database: string; readonly minOperations: number; readonly threshold: number },
): Promise<readonly ExpectedSuggestion[]> {
  const operations = await readLedger(pool, options.database);
  const plans = await readPlans(pool, options.database);
  const suggestions = plans.flatMap(({ version, ...planned }) => {
    const own = operations.filter((operation) => operation.version === version);
    const newest = own.reduce((last, { month }) => Math.max(last, month), 0);
    return KINDS.flatMap((kind): readonly ExpectedSuggestion[] => {
      const plan = planned[kind];
      const reported = own.filter(({ times }) => times[kind] !== null);
      if (plan === null || reported.length < options.minOperations) return [];
      const sum = reported.reduce((total, { times }) => total + BigInt(times[kind] ?? 0), 0n);
      const count = BigInt(reported.length);
      const average = roundHalfUp((twice) => twice * count <= 2n * sum);
      const difference = average - BigInt(plan);
      const overPlan = sum - count * BigInt(plan);
      const distance = overPlan < 0n ? -overPlan : overPlan;
      const least = count * BigInt(plan) * BigInt(Math.round(options.threshold * 1_000));
      if (difference === 0n || distance * 100_000n < least) return [];
      const ofYear = reported.filter(({ month }) => newest - month < 12).length;
      return [
        {
          name: `${version}-${kind}`,
          ...{ planned: BigInt(plan), suggested: average, operations: reported.length },
          microhoursAYear: difference * BigInt(ofYear),
        },
      ];
    });
  });
  return suggestions.toSorted(
    (one, other) =>
      Number(magnitude(other.microhoursAYear) - magnitude(one.microhoursAYear)) ||
      Number.parseInt(one.name, 10) - Number.parseInt(other.name, 10) ||
      (one.name < other.name ? -1 : 1),
  );
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

async function readLedger(pool: pg.Pool, database: string): Promise<readonly Operation[]> {
  const { rows } = await pool.query<{ version: string; year: number; month: number } & Operation['times']>(
    `SELECT product_structure_version_id AS version,
       extract(year FROM changed_at AT TIME ZONE 'UTC')::integer AS year,
       extract(month FROM changed_at AT TIME ZONE 'UTC')::integer AS month,
       replace(run_time::text, '.', '') AS run, replace(setup_time::text, '.', '') AS setup,
       replace(cleanup_time::text, '.', '') AS cleanup
     FROM takt.work_order_operations JOIN takt.companies USING (company_id)
     WHERE code = $1 AND product_structure_version_id IS NOT NULL`,
    [database],
  );
  return rows.map(({ version, year, month, ...times }) => ({ version, month: year * 12 + month, times }));
}

async function readPlans(pool: pg.Pool, database: string) {
  const { rows } = await pool.query<{ version: string } & Operation['times']>(
    `SELECT product_structure_version_id AS version, run_time AS run, setup_time AS setup, cleanup_time AS cleanup
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND changed_at IS NOT NULL`,
    [database],
  );
  return rows;
}
