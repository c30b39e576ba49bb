import type { EventProblem, QueueName, TaktEvent } from '@takt/events';
import { type EventsByQueue, eventProblem, type Found, quote, words } from '@takt/events/internal';
import {
  applyWorkOrderOperationEvents,
  type IneffectiveOutcome,
  type MisnamedOutcome,
  type Postponed,
  type PrunedOutcome,
  type RejectionWriter,
} from '@takt/figures';
import { applyReferenceData, type ReferenceDataOutcome } from '@takt/figures/master-data';
import type pg from 'pg';

/** The outcome of an event that is rejected: the rules that it breaks. */
export interface Rejection {
  readonly rejected: readonly EventProblem[];
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

export interface EventStream<Queue extends QueueName> {
  readonly queue: Queue;
  /**
   * Applies events and returns their outcomes, in order. The writer gets the events without effect, by their index, in
   * the transaction that applies the others. Safe to repeat.
   */
  apply(
    pool: pg.Pool,
    events: readonly EventsByQueue[Queue][],
    rejections: RejectionWriter<ReadonlyMap<number, EventOutcome>>,
  ): Promise<readonly EventOutcome[]>;
}

export const workOrderOperations: EventStream<'work-order-operations'> = {
  queue: 'work-order-operations',
  apply: async (pool, events, rejections) => {
    const outcomesOf = (ineffective: ReadonlyMap<number, IneffectiveOutcome>) =>
      mapOutcomes(events, ineffective, (event, outcome) => {
        if (typeof outcome === 'object' && 'prunedBefore' in outcome) return pruned(event, outcome);
        if (typeof outcome === 'object' && 'misnamed' in outcome) return misnamed(event, event, outcome);
        return outcome === 'conflict' ? conflict(event) : toOutcome(event, outcome);
      });
    const found = await applyWorkOrderOperationEvents(pool, events, {
      ...rejections,
      write: (session, ineffective) => rejections.write(session, outcomesOf(ineffective)),
    });
    const outcomes = outcomesOf(found);
    return events.map((_, index) => outcomes.get(index) ?? 'applied');
  },
};

export const referenceData: EventStream<'reference-data'> = {
  queue: 'reference-data',
  apply: async (pool, events, rejections) => {
    const outcomesOf = (ineffective: ReadonlyMap<number, ReferenceDataOutcome>) =>
      mapOutcomes(events, ineffective, (event, outcome) => {
        if (typeof outcome === 'object' && 'misnamed' in outcome) {
          const holder = outcome.misnamed === 'product' && 'product' in event ? event.product : event;
          return misnamed(event, holder, outcome);
        }
        return outcome === 'conflict' ? conflictOfChange(event) : toOutcome(event, outcome);
      });
    const found = await applyReferenceData(pool, events, {
      ...rejections,
      write: (session, ineffective) => rejections.write(session, outcomesOf(ineffective)),
    });
    const outcomes = outcomesOf(found);
    return events.map((_, index) => outcomes.get(index) ?? 'applied');
  },
};

/** Returns the outcome of each event without effect, by its index. */
function mapOutcomes<Event, Ineffective>(
  events: readonly Event[],
  ineffective: ReadonlyMap<number, Ineffective>,
  toEventOutcome: (event: Event, outcome: Ineffective) => EventOutcome,
): ReadonlyMap<number, EventOutcome> {
  return new Map(
    [...ineffective].flatMap(([index, outcome]): readonly [number, EventOutcome][] => {
      const event = events[index];
      return event === undefined ? [] : [[index, toEventOutcome(event, outcome)]];
    }),
  );
}

function rejection(...problem: Parameters<typeof eventProblem>): Rejection {
  return { rejected: [eventProblem(...problem)] };
}

function toOutcome(
  { database }: TaktEvent,
  outcome: Exclude<EventOutcome, Rejection> | 'unknown-company',
): EventOutcome {
  if (outcome !== 'unknown-company') return outcome;
  return rejection('data.database', words('must be the code of a registered company'), quote(database));
}

/** The fields by which an event names the objects of each kind, without `Id` or `Key`. */
const NAMED = {
  product: 'product.product',
  version: 'productStructureVersion',
  order: 'workOrder',
  operation: 'workOrderOperation',
} as const;

/** @param holder the part of the event that has the fields of this kind */
function misnamed({ database }: TaktEvent, holder: object, { misnamed: kind }: MisnamedOutcome): Rejection {
  const field = NAMED[kind];
  const givenIn = (end: 'Id' | 'Key') =>
    (holder as Readonly<Record<string, unknown>>)[`${field.split('.').at(-1)}${end}`] ?? null;
  const key = givenIn('Key');
  return key === null
    ? rejection(
        `data.${field}Id`,
        words('must be replaced by {0}, because the company names these objects by keys', `data.${field}Key`),
        words('{0} of {1}', String(givenIn('Id')), database),
      )
    : rejection(
        `data.${field}Key`,
        words(
          'must be replaced by {0}, because the company names these objects by numbers',
          `data.${field}Id`,
        ),
        words('{0} of {1}', quote(String(key)), database),
      );
}

/** Returns the number or the quoted key by which an event names an object. */
function nameOf(number: number | null, key: string | null): string {
  return number === null ? quote(key ?? '') : String(number);
}

function pruned(event: EventsByQueue['work-order-operations'], { prunedBefore }: PrunedOutcome): Rejection {
  const { workOrderOperationId: number, workOrderOperationKey: key } = event;
  return rejection(
    `data.workOrderOperation${number === null ? 'Key' : 'Id'}`,
    words('must be of an operation that can still change'),
    words(
      '{0} of {1}, which has pruned its operations from before {2}',
      nameOf(number, key),
      event.database,
      prunedBefore,
    ),
  );
}

const GROWS = words('must grow with every change');

function conflict(event: EventsByQueue['work-order-operations']): Rejection {
  const operation = nameOf(event.workOrderOperationId, event.workOrderOperationKey);
  return rejection(
    'data.revision',
    GROWS,
    words(
      '{0}, which operation {1} of {2} has with other content',
      event.revision,
      operation,
      event.database,
    ),
  );
}

function conflictOfChange(event: EventsByQueue['reference-data']): Rejection {
  return rejection('data.changedAt', GROWS, changedBy(event));
}

function changedBy(event: EventsByQueue['reference-data']): Found {
  const { changedAt, database } = event;
  if (event.type === 'application-version.changed.v1') {
    const id = event.applicationVersion.applicationVersionId;
    return words('{0}, which application version {1} of {2} has with other content', changedAt, id, database);
  }
  const version = nameOf(event.productStructureVersionId, event.productStructureVersionKey);
  if (event.type === 'product-structure-version.removed.v1') {
    return words(
      '{0}, which structure version {1} of {2} has with other content',
      changedAt,
      version,
      database,
    );
  }
  const product = nameOf(event.product.productId, event.product.productKey);
  return words(
    '{0}, which structure version {1} of {2}, or its product {3}, has with other content',
    changedAt,
    version,
    database,
    product,
  );
}
