import { auditProductionTimes } from '@takt/production-times';
import type pg from 'pg';
import type { OperationHistory } from './operation-history.js';
import type { ObservedQueue } from './queue.js';

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

/** Counts and sums (in microhours) of one structure version, as text: `operations/run setup/count cleanup/count`. */
type FigureTotals = ReadonlyMap<number, string>;

interface Totals {
  operations: bigint;
  run: bigint;
  setup: bigint;
  setupCount: bigint;
  cleanup: bigint;
  cleanupCount: bigint;
}

/** What the figures of each structure version with completed operations must add up to. */
function expectedTotals({ newest }: OperationHistory): FigureTotals {
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
async function readTotals(pool: pg.Pool, database: string): Promise<FigureTotals> {
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

/** What a process writes when an error reached nobody: node itself, pino's fatal, and BullMQ's own fallback. */
const SIGNS = [
  /^Node\.js v\d/m,
  /"level":60/,
  /UnhandledPromiseRejection/,
  /Unexpected Error in AsyncFifoQueue/,
  /MaxListenersExceededWarning/,
];
const EXCERPT_LENGTH = 600;

/** A sentence for each output of a worker that tells of an error nobody caught. */
export function findCrashes(outputs: readonly string[]): string[] {
  return outputs.flatMap((output) => {
    const at = SIGNS.map((sign) => output.search(sign)).find((position) => position >= 0);
    if (at === undefined) return [];
    const from = Math.max(0, at - EXCERPT_LENGTH);
    return [`a worker wrote: ...${output.slice(from, at + EXCERPT_LENGTH)}`];
  });
}
