import type * as z from 'zod';
import { describeValue, type EventProblem, eventProblem, type Found, words } from '../event-problem.js';
import { oneOf } from '../kinds.js';
import type { QueueName } from '../queue/queue-names.js';
import {
  type EventOf,
  envelopeFields,
  OBJECT_RULE,
  objectOf,
  type ParseResult,
  toProblems,
} from './define-event.js';
import type { WithNames } from './object-names.js';
import {
  applicationVersionChanged,
  productStructureVersionChanged,
  productStructureVersionRemoved,
} from './reference-data-events.js';
import { workOrderOperationCompleted, workOrderOperationReopened } from './work-order-operation-events.js';

/** The definitions of all event types. To add an event type, add a file to this folder and a line here. */
export const eventDefinitions = [
  workOrderOperationCompleted,
  workOrderOperationReopened,
  productStructureVersionChanged,
  productStructureVersionRemoved,
  applicationVersionChanged,
] as const;

/** A validated event in its normalised form, discriminated by `type`. */
export type TaktEvent = EventOf<(typeof eventDefinitions)[number]>;

/** An event as a producer writes it, with its envelope, discriminated by `type`. */
export type EventInput = WithNames<z.input<(typeof eventDefinitions)[number]['schema']>>;

export type EventType = TaktEvent['type'];

export type EventsByQueue = {
  readonly [Queue in QueueName]: EventOf<
    Extract<(typeof eventDefinitions)[number], { readonly queue: Queue }>
  >;
};

const definitionsByType: ReadonlyMap<unknown, (typeof eventDefinitions)[number]> = new Map(
  eventDefinitions.map((definition) => [definition.type, definition]),
);

export function queueOf(type: EventType): QueueName {
  const definition = definitionsByType.get(type);
  if (definition === undefined) {
    throw new TypeError(`no type of event is called ${type}`);
  }
  return definition.queue;
}

export function isCarriedBy<Queue extends QueueName>(
  queue: Queue,
  event: TaktEvent,
): event is EventsByQueue[Queue] {
  return definitionsByType.get(event.type)?.queue === queue;
}

/** The fields that all event types have in common. They are also checked if the type of the event is unknown. */
const anyEvent = objectOf({
  ...envelopeFields,
  type: oneOf(
    'type',
    eventDefinitions.map((definition) => definition.type),
  ),
});

/**
 * Validates an event parsed from JSON and returns its normalised form: the data, and the origin of the event. In this form,
 * hours are decimal text with six decimals, instants are in UTC with microseconds, and absent optional fields are null.
 * Fields outside of the contract are ignored. The function never throws, whatever the value is, and reports all broken
 * rules, not only the first.
 */
export function parseEvent(value: unknown): ParseResult<TaktEvent> {
  try {
    const definition = definitionsByType.get(typeOf(value));
    return definition === undefined ? withoutKnownType(value) : definition.parse(value);
  } catch {
    // The value cannot come from JSON, for example because it is an object with a getter that throws.
    return { ok: false, problems: [notJson(words('a value that cannot be read'))] };
  }
}

function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
}

function withoutKnownType(value: unknown): ParseResult<TaktEvent> {
  const result = anyEvent.safeParse(value, { reportInput: true });
  return { ok: false, problems: result.success ? [notJson(describeValue(value))] : toProblems(result.error) };
}

function notJson(got: Found): EventProblem {
  return eventProblem('', OBJECT_RULE, got);
}
