import type { EventProblem } from './event-problem.js';
import { type ParseResult, toProblems } from './event-types/define-event.js';
import { envelopeFields, objectOf } from './event-types/envelope.js';
import { eventDefinitions, type TaktEvent } from './event-types/event-definitions.js';
import { excerpt } from './excerpt.js';
import { oneOf } from './kinds/constant.js';

const definitionsByType = new Map<unknown, (typeof eventDefinitions)[number]>(
  eventDefinitions.map((definition) => [definition.type, definition]),
);

/** What can be said of an event whose type is not known. */
const anyEvent = objectOf({
  ...envelopeFields,
  type: oneOf(
    'type',
    eventDefinitions.map((definition) => definition.type),
  ),
});

/**
 * Validates one event as it came from JSON and gives its normalised form: data without envelope, hours as
 * decimal text with six decimals, instants in UTC with microseconds, absent optional fields as null. Fields
 * that the contract does not list are ignored. Never throws, whatever the value is; every broken rule is
 * reported, not only the first.
 */
export function parseEvent(value: unknown): ParseResult<TaktEvent> {
  try {
    const definition = definitionsByType.get(typeOf(value));
    return definition === undefined ? withoutKnownType(value) : definition.parse(value);
  } catch {
    // Only a value that JSON cannot carry gets here, such as an object whose getter throws: hands off.
    return { ok: false, problems: [notJson('a value that cannot be read')] };
  }
}

function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
}

function withoutKnownType(value: unknown): ParseResult<TaktEvent> {
  const result = anyEvent.safeParse(value, { reportInput: true });
  return { ok: false, problems: result.success ? [notJson(excerpt(value))] : toProblems(result.error) };
}

function notJson(got: string): EventProblem {
  return { field: '', rule: 'must be a JSON object', got };
}
