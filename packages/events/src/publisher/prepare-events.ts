import type { EventType } from '../event-types/event-definitions.js';
import { excerpt } from '../excerpt.js';
import { parseEvent } from '../parse-event.js';
import { InvalidEventError } from './invalid-event-error.js';
import { jsonTextProblem } from './json-text-problem.js';

/** An event that has been validated, as it will be published: the JSON that the caller gave, not its parsed form. */
export interface PreparedEvent {
  readonly type: EventType;
  /** Read back from `text`, so that nothing the caller does later can change it. */
  readonly data: unknown;
  readonly text: string;
}

/** Validates all events before any of them is published. Throws an InvalidEventError for the first that is invalid. */
export function prepareEvents(events: readonly unknown[]): PreparedEvent[] {
  return events.map((event, index) => {
    const text = toJson(event, index);
    const textProblem = jsonTextProblem(text);
    if (textProblem !== undefined) {
      throw new InvalidEventError(index, [textProblem]);
    }
    // The JSON is judged, not the value: dates and other classes may turn into something else in JSON.
    const data: unknown = JSON.parse(text);
    const result = parseEvent(data);
    if (!result.ok) {
      throw new InvalidEventError(index, result.problems);
    }
    return { type: result.event.type, data, text };
  });
}

function toJson(event: unknown, index: number): string {
  const text = stringify(event);
  if (text === undefined) {
    throw new InvalidEventError(index, [{ field: '', rule: 'must be a JSON object', got: excerpt(event) }]);
  }
  return text;
}

/** Undefined for what JSON cannot carry: cycles, big integers, functions, nesting beyond the stack. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
