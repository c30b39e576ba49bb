import { expect } from 'chai';
import type pg from 'pg';
import { GOOD_COMPANY, type GoodEvents } from './good-events.js';

/** Ledger and figures of the company hold its good events, all with the run time of the sample, and nothing else. */
export async function expectOnlyGoodEvents(pool: pg.Pool, good: GoodEvents): Promise<void> {
  const operations = good.operations();
  const ledger = await pool.query<{ operation: number }>(
    `SELECT work_order_operation_id::float8 AS operation FROM takt.work_order_operations
     JOIN takt.companies USING (company_id) WHERE code = $1 ORDER BY operation`,
    [GOOD_COMPANY],
  );
  expect(ledger.rows.map(({ operation }) => operation)).to.deep.equal(operations);
  const figures = await pool.query<{ count: number; sum: number; average: string; longest: string }>(
    `SELECT number_of_completed_operations::int AS count, run_time_sum::float8 AS sum,
       average_run_time::text AS average, longest_run_time::text AS longest
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND (number_of_completed_operations <> 0 OR run_time_sum <> 0)`,
    [GOOD_COMPANY],
  );
  const count = operations.length;
  const expected = { count, sum: 1.5 * count, average: '1.500000', longest: '1.500000' };
  expect(figures.rows).to.deep.equal(count === 0 ? [] : [expected]);
}
