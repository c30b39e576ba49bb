import type { WorkOrderOperationCompleted, WorkOrderOperationReopened } from '@takt/events';
import type pg from 'pg';

export type WorkOrderOperationEvent = WorkOrderOperationCompleted | WorkOrderOperationReopened;

/**
 * Why an event changed nothing. A duplicate (same revision, same content) and a stale event (older revision) are
 * only counted; a conflict (same revision, other content) and an unknown company are rejected.
 */
export type IneffectiveOutcome = 'duplicate' | 'stale' | 'conflict' | 'unknown-company';

/**
 * Takes events into ledger and figures in one statement, one round trip and one transaction: when the promise
 * resolves, everything is committed; when it rejects, either all or nothing is, and calling again is safe.
 *
 * Gives the events that had no effect, by their index in `events`; all others took effect.
 */
export async function applyWorkOrderOperationEvents(
  connection: pg.Pool | pg.ClientBase,
  events: readonly WorkOrderOperationEvent[],
): Promise<ReadonlyMap<number, IneffectiveOutcome>> {
  const { rows } = await connection.query<{ position: number; outcome: IneffectiveOutcome }>({
    name: 'apply-work-order-operation-events',
    text: 'SELECT position, outcome FROM takt.apply_work_order_operation_events($1)',
    values: [JSON.stringify(events.map(toLedgerEntry))],
  });
  return new Map(rows.map((row) => [row.position, row.outcome]));
}

function toLedgerEntry(event: WorkOrderOperationEvent) {
  const { database, workOrderOperationId: operation, revision } = event;
  if (event.type === 'work-order-operation.reopened.v1') {
    return { database, operation, revision, changedAt: event.reopenedAt };
  }
  return {
    database,
    operation,
    revision,
    structureVersion: event.productStructureVersionId,
    workOrder: event.workOrderId,
    changedAt: event.completedAt,
    runTime: event.runTime,
    setupTime: event.setupTime,
    cleanupTime: event.cleanupTime,
  };
}
