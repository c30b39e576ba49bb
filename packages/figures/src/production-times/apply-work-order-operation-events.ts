import type { EventsByQueue } from '@takt/events/internal';
import type pg from 'pg';
import { applyBatch, type Postponed } from '../apply-batch.js';

export type WorkOrderOperationEvent = EventsByQueue['work-order-operations'];

/**
 * The reason why an event had no effect. A duplicate (same revision, same content) and a stale event (older revision)
 * are only counted. A conflict (same revision, other content), an unknown company and a change of a pruned operation
 * lead to rejection. On a cluster an event may also be postponed.
 */
export type IneffectiveOutcome =
  | 'duplicate'
  | 'stale'
  | 'conflict'
  | 'unknown-company'
  | PrunedOutcome
  | Postponed;

/**
 * The outcome of an event whose operation was pruned. All operations last changed before this day (`yyyy-MM-dd`) were
 * pruned.
 */
export interface PrunedOutcome {
  readonly prunedBefore: string;
}

/**
 * Applies events to the ledger and the figures together (apply-batch.ts). When the promise resolves, everything is
 * committed. When it rejects, everything or nothing is committed; on a cluster, the events of some companies may be
 * committed. Calling again is safe in each case. Returns the events without effect, by their index in `events`.
 */
export async function applyWorkOrderOperationEvents(
  connection: pg.Pool | pg.ClientBase,
  events: readonly WorkOrderOperationEvent[],
): Promise<ReadonlyMap<number, IneffectiveOutcome>> {
  const ineffective = await applyBatch<'duplicate' | 'stale' | 'conflict'>(connection, {
    takenBy: 'apply_work_order_operation_events',
    columns: 'position, outcome, pruned_before::text AS "prunedBefore"',
    databases: events.map(({ database }) => database),
    rows: events.map(toLedgerRow),
  });
  return new Map(
    ineffective.map(({ position, outcome, prunedBefore }) => [
      position,
      typeof prunedBefore === 'string' ? { prunedBefore } : outcome,
    ]),
  );
}

/** Returns the state of the operation in the event, by the columns of takt.work_order_operations. */
function toLedgerRow(event: WorkOrderOperationEvent) {
  const identity = { work_order_operation_id: event.workOrderOperationId, revision: event.revision };
  if (event.type === 'work-order-operation.reopened.v1') {
    return { ...identity, changed_at: event.reopenedAt };
  }
  return {
    ...identity,
    product_structure_version_id: event.productStructureVersionId,
    work_order_id: event.workOrderId,
    changed_at: event.completedAt,
    run_time: event.runTime,
    setup_time: event.setupTime,
    cleanup_time: event.cleanupTime,
  };
}
