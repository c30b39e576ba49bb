import type { Database } from '@takt/database';
import { parseEvent } from '@takt/events';
import { type GenerateOptions, generateEvents } from '@takt/events/generator';
import { isCarriedBy } from '@takt/events/internal';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { applyReferenceData, type ReferenceDataEvent } from '@takt/figures/master-data';

/** Stores the demo data of npm start, or a smaller set. Applies the events like a worker, but without queues. */
export async function storeDemoData({ pool }: Database, options: GenerateOptions): Promise<void> {
  const masterData: ReferenceDataEvent[] = [];
  const operations: WorkOrderOperationEvent[] = [];
  for (const generated of generateEvents(options)) {
    const result = parseEvent(generated);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { event } = result;
    if (isCarriedBy('reference-data', event)) {
      masterData.push(event);
    } else {
      operations.push(event);
    }
  }
  await applyReferenceData(pool, masterData);
  await applyWorkOrderOperationEvents(pool, operations);
}
