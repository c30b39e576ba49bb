import type { QueueName } from '../queue/queue-names.js';
import { applicationVersionChanged } from './application-version-changed.js';
import type { EventOf } from './define-event.js';
import { productStructureVersionChanged } from './product-structure-version-changed.js';
import { workOrderOperationCompleted } from './work-order-operation-completed.js';
import { workOrderOperationReopened } from './work-order-operation-reopened.js';

/** Every type of event; a new one is a file beside these and a line here. */
export const eventDefinitions = [
  workOrderOperationCompleted,
  workOrderOperationReopened,
  productStructureVersionChanged,
  applicationVersionChanged,
] as const;

/** A validated event in its normalised form, told apart by `type`. */
export type TaktEvent = EventOf<(typeof eventDefinitions)[number]>;

export type EventType = TaktEvent['type'];

const queueByType: ReadonlyMap<EventType, QueueName> = new Map(
  eventDefinitions.map(({ type, queue }) => [type, queue]),
);

/** The queue that carries the events of a type. */
export function queueOf(type: EventType): QueueName {
  const queue = queueByType.get(type);
  if (queue === undefined) {
    throw new TypeError(`no type of event is called ${type}`);
  }
  return queue;
}
