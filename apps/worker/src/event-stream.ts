import type { QueueName, TaktEvent } from '@takt/events';
import { applyReferenceData, type ReferenceDataEvent } from '@takt/master-data';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/production-times';
import type pg from 'pg';
import type { EventOutcome } from './event-outcome.js';

/** What a queue carries and how it reaches the database. */
export interface EventStream<Event extends TaktEvent> {
  readonly queue: QueueName;
  accepts(event: TaktEvent): event is Event;
  /** Takes the events in at once and gives what became of each, in their order. Safe to call again. */
  apply(pool: pg.Pool, events: readonly Event[]): Promise<readonly EventOutcome[]>;
}

export const workOrderOperations: EventStream<WorkOrderOperationEvent> = {
  queue: 'work-order-operations',
  accepts: (event): event is WorkOrderOperationEvent =>
    event.type === 'work-order-operation.completed.v1' || event.type === 'work-order-operation.reopened.v1',
  apply: async (pool, events) => {
    const ineffective = await applyWorkOrderOperationEvents(pool, events);
    return events.map((event, index) => {
      const outcome = ineffective.get(index) ?? 'applied';
      if (outcome === 'unknown-company') return unknownCompany(event);
      if (outcome === 'conflict') return conflict(event);
      return outcome;
    });
  },
};

export const referenceData: EventStream<ReferenceDataEvent> = {
  queue: 'reference-data',
  accepts: (event): event is ReferenceDataEvent =>
    event.type === 'product-structure-version.changed.v1' || event.type === 'application-version.changed.v1',
  apply: async (pool, events) => {
    const ineffective = await applyReferenceData(pool, events);
    return events.map((event, index) => {
      const outcome = ineffective.get(index) ?? 'applied';
      return outcome === 'unknown-company' ? unknownCompany(event) : outcome;
    });
  },
};

function unknownCompany({ database }: TaktEvent): EventOutcome {
  return {
    rejected: `data.database must be the code of a registered company (got ${JSON.stringify(database)})`,
  };
}

function conflict({ revision, workOrderOperationId, database }: WorkOrderOperationEvent): EventOutcome {
  return {
    rejected:
      `data.revision must grow with every change: revision ${revision} of operation ${workOrderOperationId} ` +
      `of ${database} is known with other content`,
  };
}
