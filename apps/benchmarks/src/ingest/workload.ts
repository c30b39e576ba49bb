import { generateEvents } from '@takt/event-generator';
import { parseEvent, type TaktEvent } from '@takt/events';
import type { WorkOrderOperationEvent } from '@takt/production-times';

export interface Workload {
  /** Events as they are on the wire, master data apart. */
  readonly masterData: readonly unknown[];
  readonly completions: readonly unknown[];
  /** The same completions as the worker sees them after validation. */
  readonly parsed: readonly WorkOrderOperationEvent[];
}

export const COMPANY = 'TEM-NO';

/** The same events for every contestant: a shop floor's completions with 2 % corrections and 1 % duplicates. */
export function makeWorkload(events: number, structures: number, seed: number): Workload {
  const masterData: unknown[] = [];
  const completions: unknown[] = [];
  const parsed: WorkOrderOperationEvent[] = [];
  const options = {
    events,
    structureVersions: structures,
    companies: [COMPANY],
    seed,
    corrections: 0.02,
    duplicates: 0.01,
  };
  for (const event of generateEvents(options)) {
    const result = parseEvent(event);
    if (!result.ok) throw new Error('the generator made an event that breaks the contract');
    if (isWorkOrderOperationEvent(result.event)) {
      completions.push(event);
      parsed.push(result.event);
    } else {
      masterData.push(event);
    }
  }
  return { masterData, completions, parsed };
}

function isWorkOrderOperationEvent(event: TaktEvent): event is WorkOrderOperationEvent {
  return event.type.startsWith('work-order-operation.');
}
