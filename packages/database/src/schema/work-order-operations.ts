import { integer, primaryKey } from 'drizzle-orm/pg-core';
import { hours, instant, wholeNumber } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

/** The ledger: the newest known state of every work order operation. */
export const workOrderOperations = taktSchema.table(
  'work_order_operations',
  {
    companyId: integer('company_id').notNull(),
    workOrderOperationId: wholeNumber('work_order_operation_id').notNull(),
    revision: wholeNumber('revision').notNull(),
    /** Null: reopened, does not count. */
    productStructureVersionId: wholeNumber('product_structure_version_id'),
    workOrderId: wholeNumber('work_order_id'),
    /** completedAt or reopenedAt of the event. */
    changedAt: instant('changed_at').notNull(),
    /** Hours; null only where reopened. */
    runTime: hours('run_time'),
    /** Hours; null: not reported. */
    setupTime: hours('setup_time'),
    /** Hours; null: not reported. */
    cleanupTime: hours('cleanup_time'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.workOrderOperationId] })],
);
