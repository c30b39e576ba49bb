import type { WorkOrderOperationEvent } from '@takt/production-times';
import type { Random } from '@takt/test-support';
import { COMPANY } from '../read/fill-database.js';

export type Completion = Extract<
  WorkOrderOperationEvent,
  { readonly type: 'work-order-operation.completed.v1' }
>;

export interface Draw {
  /** Number of the first operation; the others follow. */
  readonly from: number;
  readonly size: number;
  readonly structures: number;
}

/** Completed operations of structure versions that are drawn evenly. */
export function drawBatch(random: Random, { from, size, structures }: Draw): readonly Completion[] {
  const hours = () => (0.1 + random.below(100_000) / 10_000).toFixed(6);
  return Array.from({ length: size }, (_, index) => ({
    type: 'work-order-operation.completed.v1' as const,
    database: COMPANY,
    workOrderOperationId: from + index,
    workOrderId: null,
    revision: 1,
    productStructureVersionId: 1 + random.below(structures),
    completedAt: '2026-01-15T12:00:00.000000Z',
    runTime: hours(),
    setupTime: hours(),
    cleanupTime: hours(),
  }));
}
