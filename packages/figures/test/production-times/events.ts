import type pg from 'pg';
import { applyBatch } from '../../src/apply-batch.js';
import type { WorkOrderOperationEvent } from '../../src/production-times/apply-work-order-operation-events.js';

type Of<Type extends string> = Extract<WorkOrderOperationEvent, { readonly type: Type }>;
export type Completed = Of<'work-order-operation.completed.v1'>;
export type Reopened = Of<'work-order-operation.reopened.v1'>;

const SOME_INSTANT = '2024-03-01T06:00:00.000000Z';

/** Returns the event of a completed operation. The given fields replace the defaults. */
export function completed(fields: Pick<Completed, 'database'> & Partial<Completed>): Completed {
  return {
    type: 'work-order-operation.completed.v1',
    workOrderOperationId: 1,
    workOrderId: null,
    revision: 1,
    productStructureVersionId: 100,
    completedAt: SOME_INSTANT,
    runTime: '1.000000',
    setupTime: null,
    cleanupTime: null,
    ...fields,
  };
}

export function reopened(fields: Pick<Reopened, 'database'> & Partial<Reopened>): Reopened {
  return {
    type: 'work-order-operation.reopened.v1',
    workOrderOperationId: 1,
    revision: 2,
    reopenedAt: SOME_INSTANT,
    ...fields,
  };
}

/** A change of a structure version: the columns whose values replace the defaults. */
export type StructureVersionChange = { readonly product_structure_version_id: number } & Readonly<
  Record<string, unknown>
>;

/** Applies changes to structure versions of a company. */
export async function changeStructureVersions(
  pool: pg.Pool,
  database: string,
  changes: readonly StructureVersionChange[],
): Promise<void> {
  const rows = changes.map((change) => ({
    ...{ changed_at: '2024-01-01T00:00:00Z', status: 4, name: 'Frame', version: 1, revision: 'A' },
    ...{ product_id: 1, product_status: 4, product_name: 'Frame', product_type: 'K' },
    ...{ product_description: '', run_time: null, setup_time: null, cleanup_time: null, ...change },
  }));
  await applyBatch(pool, {
    ...{ takenBy: 'apply_product_structure_version_changes', columns: 'position, outcome' },
    ...{ databases: rows.map(() => database), rows },
  });
}
