import { auditProductionTimes } from '@takt/production-times';
import type pg from 'pg';
import { expectedTotals, readTotals } from './figure-totals.js';
import type { ObservedQueue } from './observed-queue.js';
import type { OperationHistory } from './operation-history.js';

/** Deviations of one kind beyond this are only counted. */
const SHOWN = 3;

/**
 * Compares queue, ledger and figures with what they must hold once a history has been taken in: nothing left in
 * the queue, nothing rejected, every operation at its newest revision, figures that add up and that an independent
 * recomputation confirms. Gives a sentence for each kind of deviation; none where everything arrived exactly once.
 */
export async function findDeviations(
  pool: pg.Pool,
  queue: ObservedQueue,
  history: OperationHistory,
): Promise<string[]> {
  const { differences } = await auditProductionTimes(pool, { database: history.database });
  return [
    ...describe('jobs left in the queue', await queue.describeUnfinished()),
    ...describe('jobs failed', await queue.describeFailed()),
    ...describe('operations deviate', await compareLedger(pool, history)),
    ...describe(
      'totals deviate',
      compareMaps(await readTotals(pool, history.database), expectedTotals(history)),
    ),
    ...describe(
      'audit finds differences',
      differences.map((difference) => JSON.stringify(difference)),
    ),
  ];
}

async function compareLedger(pool: pg.Pool, { database, newest }: OperationHistory): Promise<string[]> {
  const { rows } = await pool.query<{ operation: number; state: string }>(
    `SELECT work_order_operation_id::float8 AS operation,
       concat('revision ', revision, ' of ', coalesce(product_structure_version_id::text, 'none')) AS state
     FROM takt.work_order_operations JOIN takt.companies USING (company_id) WHERE code = $1`,
    [database],
  );
  const expected = new Map(
    Array.from(newest, ([operation, { revision, structureVersion }]) => [
      operation,
      `revision ${revision} of ${structureVersion ?? 'none'}`,
    ]),
  );
  return compareMaps(new Map(rows.map(({ operation, state }) => [operation, state])), expected);
}

function compareMaps(found: ReadonlyMap<number, string>, expected: ReadonlyMap<number, string>): string[] {
  const keys = new Set([...found.keys(), ...expected.keys()]);
  return Array.from(keys)
    .filter((key) => found.get(key) !== expected.get(key))
    .map((key) => `${key}: ${found.get(key) ?? 'missing'} instead of ${expected.get(key) ?? 'nothing'}`);
}

function describe(kind: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  return [`${all.length} ${kind}: ${all.slice(0, SHOWN).join('; ')}${all.length > SHOWN ? '; ...' : ''}`];
}
