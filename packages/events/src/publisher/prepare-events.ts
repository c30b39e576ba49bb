import type { EventProblem } from '../event-problem.js';
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
    const result = prepare(event);
    if (!result.ok) throw new InvalidEventError(index, result.problems);
    return result.prepared;
  });
}

/** Why the publisher would not take an event, in its own words; nothing where it would. */
export function findPublishingProblems(event: unknown): readonly EventProblem[] {
  const result = prepare(event);
  return result.ok ? [] : result.problems;
}

type Preparation =
  | { readonly ok: true; readonly prepared: PreparedEvent }
  | { readonly ok: false; readonly problems: readonly EventProblem[] };

function prepare(event: unknown): Preparation {
  const text = stringify(event);
  if (text === undefined) {
    return { ok: false, problems: [{ field: '', rule: 'must be a JSON object', got: excerpt(event) }] };
  }
  const textProblem = jsonTextProblem(text);
  if (textProblem !== undefined) return { ok: false, problems: [textProblem] };
  // The JSON is judged, not the value: dates and other classes may turn into something else in JSON.
  const data: unknown = JSON.parse(text);
  const result = parseEvent(data);
  return result.ok ? { ok: true, prepared: { type: result.event.type, data, text } } : result;
}

/** Undefined for what JSON cannot carry: cycles, big integers, functions, nesting beyond the stack. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, nameNonFinite);
  } catch {
    return undefined;
  }
}

/** JSON.stringify writes null for NaN and Infinity, and null is valid where a time was not reported; their names are not. */
function nameNonFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
