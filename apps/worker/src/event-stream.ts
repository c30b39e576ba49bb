import type { QueueName, TaktEvent } from '@takt/events';
import { type EventsByQueue, quote } from '@takt/events/internal';
import {
  applyWorkOrderOperationEvents,
  type MisnamedOutcome,
  type Postponed,
  type PrunedOutcome,
} from '@takt/figures';
import { applyReferenceData } from '@takt/figures/master-data';
import type pg from 'pg';

/**
 * The outcome of an event that is rejected. The event is kept as a failed job with this reason, which names the field
 * and the rule.
 */
export interface Rejection {
  readonly rejected: string;
}

/**
 * The outcome of an event. Duplicates and stale events change nothing and are only counted. Postponed events are
 * applied later.
 */
export type EventOutcome = 'applied' | 'duplicate' | 'stale' | Rejection | Postponed;

export function isRejection(outcome: EventOutcome): outcome is Rejection {
  return typeof outcome === 'object' && 'rejected' in outcome;
}

export function isPostponed(outcome: EventOutcome): outcome is Postponed {
  return typeof outcome === 'object' && 'postponed' in outcome;
}

/** A queue, together with the function that applies its events. */
export interface EventStream<Queue extends QueueName> {
  readonly queue: Queue;
  /** Applies events and returns their outcomes, in order. Safe to repeat. */
  apply(pool: pg.Pool, events: readonly EventsByQueue[Queue][]): Promise<readonly EventOutcome[]>;
}

export const workOrderOperations: EventStream<'work-order-operations'> = {
  queue: 'work-order-operations',
  apply: async (pool, events) => {
    const ineffective = await applyWorkOrderOperationEvents(pool, events);
    return events.map((event, index) => {
      const outcome = ineffective.get(index) ?? 'applied';
      if (typeof outcome === 'object' && 'prunedBefore' in outcome) return pruned(event, outcome);
      if (typeof outcome === 'object' && 'misnamed' in outcome) return misnamed(event, event, outcome);
      return outcome === 'conflict' ? conflict(event) : toOutcome(event, outcome);
    });
  },
};

export const referenceData: EventStream<'reference-data'> = {
  queue: 'reference-data',
  apply: async (pool, events) => {
    const ineffective = await applyReferenceData(pool, events);
    return events.map((event, index) => {
      const outcome = ineffective.get(index) ?? 'applied';
      if (typeof outcome === 'object' && 'misnamed' in outcome) {
        const holder = outcome.misnamed === 'product' && 'product' in event ? event.product : event;
        return misnamed(event, holder, outcome);
      }
      return outcome === 'conflict' ? conflictOfChange(event) : toOutcome(event, outcome);
    });
  },
};

function toOutcome(
  { database }: TaktEvent,
  outcome: Exclude<EventOutcome, Rejection> | 'unknown-company',
): EventOutcome {
  if (outcome !== 'unknown-company') return outcome;
  return {
    rejected: `data.database must be the code of a registered company (got ${JSON.stringify(database)})`,
  };
}

/** The fields by which an event names the objects of each kind, without `Id` or `Key`, and the plural of the kind. */
const NAMED = {
  product: ['product.product', 'products'],
  version: ['productStructureVersion', 'product structure versions'],
  order: ['workOrder', 'work orders'],
  operation: ['workOrderOperation', 'work order operations'],
} as const;

/** @param holder the part of the event that has the fields of this kind */
function misnamed({ database }: TaktEvent, holder: object, { misnamed: kind }: MisnamedOutcome): Rejection {
  const [field, objects] = NAMED[kind];
  const givenIn = (end: 'Id' | 'Key') =>
    (holder as Readonly<Record<string, unknown>>)[`${field.split('.').at(-1)}${end}`] ?? null;
  const key = givenIn('Key');
  const isKey = key !== null;
  const shown = isKey ? quote(String(key)) : String(givenIn('Id'));
  const [wrong, right] = isKey ? (['Key', 'Id'] as const) : (['Id', 'Key'] as const);
  return {
    rejected:
      `data.${field}${wrong} must be replaced by data.${field}${right}, because the company names ${objects} by ` +
      `${isKey ? 'numbers' : 'keys'} (got ${shown} of ${database})`,
  };
}

/** Returns the number or the quoted key by which an event names an object. */
function nameOf(number: number | null, key: string | null): string {
  return number === null ? quote(key ?? '') : String(number);
}

function pruned(event: EventsByQueue['work-order-operations'], { prunedBefore }: PrunedOutcome): Rejection {
  const { workOrderOperationId: number, workOrderOperationKey: key } = event;
  return {
    rejected:
      `data.workOrderOperation${number === null ? 'Key' : 'Id'} must be of an operation that can still change ` +
      `(got ${nameOf(number, key)}, which ${event.database} has pruned with its operations from before ${prunedBefore})`,
  };
}

function conflict(event: EventsByQueue['work-order-operations']): Rejection {
  return {
    rejected:
      `data.revision must grow with every change (got ${event.revision}, ` +
      `which operation ${nameOf(event.workOrderOperationId, event.workOrderOperationKey)} of ${event.database} ` +
      `has with other content)`,
  };
}

function conflictOfChange(event: EventsByQueue['reference-data']): Rejection {
  return {
    rejected:
      `data.changedAt must grow with every change (got ${event.changedAt}, ` +
      `which ${changedBy(event)} has with other content)`,
  };
}

function changedBy(event: EventsByQueue['reference-data']): string {
  if (event.type === 'application-version.changed.v1') {
    return `application version ${event.applicationVersion.applicationVersionId} of ${event.database}`;
  }
  const version =
    `structure version ${nameOf(event.productStructureVersionId, event.productStructureVersionKey)} of ` +
    event.database;
  if (event.type === 'product-structure-version.removed.v1') return version;
  return `${version}, or its product ${nameOf(event.product.productId, event.product.productKey)},`;
}
