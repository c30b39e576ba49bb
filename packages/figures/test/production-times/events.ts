import type { WorkOrderOperationCompleted, WorkOrderOperationReopened } from '@takt/events';

const SOME_INSTANT = '2024-03-01T06:00:00.000000Z';

/** A completion; what a test does not name is the same in all of them. */
export function completed(
  fields: Pick<WorkOrderOperationCompleted, 'database'> & Partial<WorkOrderOperationCompleted>,
): WorkOrderOperationCompleted {
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

export function reopened(
  fields: Pick<WorkOrderOperationReopened, 'database'> & Partial<WorkOrderOperationReopened>,
): WorkOrderOperationReopened {
  return {
    type: 'work-order-operation.reopened.v1',
    workOrderOperationId: 1,
    revision: 2,
    reopenedAt: SOME_INSTANT,
    ...fields,
  };
}
