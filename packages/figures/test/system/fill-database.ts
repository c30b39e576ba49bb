import { applyWorkOrderOperationEvents } from '@takt/figures';
import { randomFrom, testSeed } from '@takt/test-support';
import type pg from 'pg';

/** Creates a company with this many structure versions, all of which have master data. */
export async function addStructureVersions(pool: pg.Pool, count: number): Promise<void> {
  await pool.query("INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tempus Norge')");
  await pool.query(
    `INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
     SELECT 1, number, 1, 'Product ' || number, 'type', E'tab\\tbackslash \\\\ \\\\. line\\n\\\\.\\nend æøå', now()
     FROM generate_series(1, 100) AS number`,
  );
  await pool.query(
    `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, status, name, version,
       product_id, product_name, run_time)
     SELECT 1, number, now(), 1, 'Version ' || number, 1, number % 100 + 1, 'Product ' || number % 100 + 1, number * 1000
     FROM generate_series(1, $1::integer) AS number`,
    [count],
  );
  await pool.query(
    `INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
     SELECT company_id, product_structure_version_id,
       takt.searched_text(product_name, name, product_id, product_structure_version_id, NULL, NULL)
     FROM takt.product_structure_versions`,
  );
  await pool.query('SELECT takt.note_changes_by_hand()');
}

export interface Completions {
  readonly structureVersions: number;
  /** The id of the first operation. Each further operation has the next id. */
  readonly from: number;
  readonly count: number;
}

const BATCH = 500;

/**
 * Completes operations of random structure versions, as a worker does. Ends when all operations are completed or
 * `signal` is aborted.
 */
export async function completeOperations(
  pool: pg.Pool,
  { structureVersions, from, count }: Completions,
  signal?: AbortSignal,
): Promise<number> {
  const random = randomFrom(testSeed() + from);
  const hours = () => (0.1 + random.below(100_000) / 10_000).toFixed(6);
  for (let done = 0; done < count; done += BATCH) {
    if (signal?.aborted === true) return done;
    const events = Array.from({ length: Math.min(BATCH, count - done) }, (_, index) => ({
      type: 'work-order-operation.completed.v1' as const,
      database: 'TEM-NO',
      workOrderOperationId: from + done + index,
      workOrderId: null,
      revision: 1,
      productStructureVersionId: 1 + random.below(structureVersions),
      completedAt: '2025-01-01T12:00:00.000000Z',
      runTime: hours(),
      setupTime: hours(),
      cleanupTime: hours(),
    }));
    await applyWorkOrderOperationEvents(pool, events);
  }
  return count;
}
