import { parseEvent } from '@takt/events';
import { isCarriedBy } from '@takt/events/internal';
import { applyWorkOrderOperationEvents } from '@takt/figures';
import { applyReferenceData } from '@takt/figures/master-data';
import type pg from 'pg';

/** Applies events as a worker does: first those of master data, then those of operations. Throws if one is invalid. */
export async function applyEvents(pool: pg.Pool, values: readonly unknown[]): Promise<void> {
  const events = values.map((value) => {
    const result = parseEvent(value);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.event;
  });
  await applyReferenceData(
    pool,
    events.filter((event) => isCarriedBy('reference-data', event)),
  );
  await applyWorkOrderOperationEvents(
    pool,
    events.filter((event) => isCarriedBy('work-order-operations', event)),
  );
}
