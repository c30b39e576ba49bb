import type { EventsByQueue } from '@takt/events/internal';
import type pg from 'pg';
import {
  applyBatch,
  type IneffectiveRow,
  type MisnamedOutcome,
  ofRows,
  type Postponed,
  type RejectionWriter,
} from '../apply-batch.js';

/** An event that is applied. Keys and the origin may be absent. */
export type WorkOrderOperationEvent = Lenient<EventsByQueue['work-order-operations']>;

type Lenient<Event> = Event extends unknown
  ? Omit<Event, LenientField<Event>> & Partial<Pick<Event, LenientField<Event>>>
  : never;
type LenientField<Event> = keyof Event & ('origin' | `${string}Key`);

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
  | MisnamedOutcome
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
 * @param rejections writes the rejected events in the transaction of the others; needs a pool
 */
export async function applyWorkOrderOperationEvents(
  connection: pg.Pool | pg.ClientBase,
  events: readonly WorkOrderOperationEvent[],
  rejections?: RejectionWriter<ReadonlyMap<number, IneffectiveOutcome>>,
): Promise<ReadonlyMap<number, IneffectiveOutcome>> {
  const batch = {
    takenBy: 'apply_work_order_operation_events',
    columns: 'position, outcome, pruned_before::text AS "prunedBefore", misnamed',
    databases: events.map(({ database }) => database),
    rows: events.map(toLedgerRow),
    keys: keysOf(events),
  };
  return toOutcomes(await applyBatch<LedgerOutcome>(connection, batch, ofRows(rejections, toOutcomes)));
}

type LedgerOutcome = 'duplicate' | 'stale' | 'conflict';

function toOutcomes(rows: readonly IneffectiveRow<LedgerOutcome>[]): ReadonlyMap<number, IneffectiveOutcome> {
  return new Map(
    rows.map(({ position, outcome, prunedBefore, misnamed }): [number, IneffectiveOutcome] => {
      if (misnamed) return [position, { misnamed }];
      return [position, typeof prunedBefore === 'string' ? { prunedBefore } : outcome];
    }),
  );
}

/** Returns the keys of structure versions, work orders and operations; null if no event has a key. */
function keysOf(events: readonly WorkOrderOperationEvent[]): (string | null)[][] | null {
  const isKeyed = (event: WorkOrderOperationEvent) =>
    event.workOrderOperationKey ||
    (isCompletion(event) && (event.productStructureVersionKey || event.workOrderKey));
  if (!events.some(isKeyed)) return null;
  const completions = events.map((event) => (isCompletion(event) ? event : undefined));
  return [
    completions.map((event) =>
      keyOrNumber(event?.productStructureVersionKey, event?.productStructureVersionId),
    ),
    completions.map((event) => keyOrNumber(event?.workOrderKey, event?.workOrderId)),
    events.map((event) => keyOrNumber(event.workOrderOperationKey, event.workOrderOperationId)),
  ];
}

/** Returns the key of an object; '' if it is named by its number, and null if it is not named. */
function keyOrNumber(key: string | null | undefined, number: number | null | undefined): string | null {
  return key ?? ((number ?? null) === null ? null : '');
}

function isCompletion(
  event: WorkOrderOperationEvent,
): event is Extract<WorkOrderOperationEvent, { readonly type: 'work-order-operation.completed.v1' }> {
  return event.type === 'work-order-operation.completed.v1';
}

/**
 * Returns the state of the operation in the event, by the columns of takt.work_order_operations. One literal with the
 * same keys for all events is written as JSON in a tenth of the time that objects made by spreading take.
 */
function toLedgerRow(event: WorkOrderOperationEvent) {
  const completion = isCompletion(event) ? event : undefined;
  return {
    work_order_operation_id: event.workOrderOperationId ?? undefined,
    revision: event.revision,
    event_source: event.origin?.source,
    event_id: event.origin?.id,
    event_time: event.origin?.time,
    product_structure_version_id: completion?.productStructureVersionId ?? undefined,
    work_order_id: completion?.workOrderId ?? undefined,
    changed_at: isCompletion(event) ? event.completedAt : event.reopenedAt,
    run_time: completion?.runTime,
    setup_time: completion?.setupTime,
    cleanup_time: completion?.cleanupTime,
  };
}
