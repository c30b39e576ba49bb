import { describeProblems, describeValue, type EventProblem, eventProblem, words } from '../event-problem.js';
import { OBJECT_RULE } from '../event-types/define-event.js';
import { type EventType, parseEvent } from '../event-types/event-definitions.js';
import { MAX_JOB_BYTES } from '../queue/bounded-reads.js';

/** An event that the contract does not allow was given to publish; nothing of that call was published. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  /** Position of the event in what was given to publish, from 0. */
  readonly index: number;
  readonly problems: readonly EventProblem[];

  constructor(index: number, problems: readonly EventProblem[]) {
    super(`event ${index}: ${describeProblems(problems)}`);
    this.index = index;
    this.problems = problems;
  }
}

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
    const result = prepareEvent(event);
    if (!result.ok) throw new InvalidEventError(index, result.problems);
    return result.prepared;
  });
}

/** Why the publisher would not take an event, in its own words; nothing where it would. */
export function findPublishingProblems(event: unknown): readonly EventProblem[] {
  const result = prepareEvent(event);
  return result.ok ? [] : result.problems;
}

/** An event that publishPrepared takes, or why none was made of the value. */
export type Preparation =
  | { readonly ok: true; readonly prepared: PreparedEvent }
  | { readonly ok: false; readonly problems: readonly EventProblem[] };

/** Validates one value, and keeps what would be published of it. Never throws. */
export function prepareEvent(event: unknown): Preparation {
  const text = stringify(event);
  if (text === undefined) {
    return { ok: false, problems: [eventProblem('', OBJECT_RULE, describeValue(event))] };
  }
  const tooLarge = sizeProblem(text);
  if (tooLarge !== undefined) return { ok: false, problems: [tooLarge] };
  // The JSON is judged, not the value: dates and other classes may turn into something else in JSON.
  const data: unknown = JSON.parse(text);
  const result = parseEvent(data);
  if (!result.ok) return { ok: false, problems: asGiven(result.problems, event) };
  // Last, so that of a field that is read its own rule is told, as the worker would.
  const unstorable = jsonTextProblem(text);
  if (unstorable !== undefined) return { ok: false, problems: [unstorable] };
  return { ok: true, prepared: { type: result.event.type, data, text } };
}

/** The same problems with what the value itself holds: JSON can say 1e400, and only JSON.stringify cannot write it. */
function asGiven(problems: readonly EventProblem[], event: unknown): readonly EventProblem[] {
  const given = parseEvent(event);
  if (given.ok) return problems;
  return problems.map((problem) => given.problems.find(({ field }) => field === problem.field) ?? problem);
}

/** Undefined for what JSON cannot carry: cycles, big integers, functions, nesting beyond the stack. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, nameNonFinite);
  } catch {
    return undefined;
  }
}

/**
 * JSON.stringify writes null for NaN and Infinity, and null is valid where a time was not reported; their names would be
 * where a text is asked for, and are valid nowhere in an array.
 */
function nameNonFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}

/**
 * Some bytes less than a job may hold: two brackets of a batch and the job's options, and the blanks that PostgreSQL
 * writes between names and values.
 */
export const MAX_EVENT_BYTES = MAX_JOB_BYTES - 2 ** 20;

/** A worker would put it aside without reading it. */
function sizeProblem(text: string): EventProblem | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_EVENT_BYTES) return undefined;
  const rule = words('must take at most {0} bytes as JSON', MAX_EVENT_BYTES);
  return eventProblem('', rule, words('{0} bytes', bytes));
}

// JSON.stringify writes \u only for control characters and lone surrogates, in lower case. An even number of
// backslashes before it is text that shows backslashes, not an escape.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** PostgreSQL's JSON parser recurses; what the contract lists is nested three deep. */
const MAX_DEPTH = 500;

/**
 * Finds what would make PostgreSQL refuse the JSON text of an event, and with it all events added by the same
 * statement: NUL or lone surrogates anywhere, also in names and in fields that are ignored, and deep nesting.
 * The rule is the same for Redis, so that events can move from one store to the other.
 */
function jsonTextProblem(text: string): EventProblem | undefined {
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    const rule = words('must hold no NUL and no lone surrogates, also not in ignored fields');
    return eventProblem('', rule, describeValue(text));
  }
  // A shorter text cannot be that deep, so that usual events are not scanned.
  if (text.length > 2 * MAX_DEPTH && depthOf(text) > MAX_DEPTH) {
    return eventProblem('', words('must not be nested more than {0} deep', MAX_DEPTH), describeValue(text));
  }
  return undefined;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/** By hand: a regular expression with an alternative per character overflows on a string of megabytes. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === BACKSLASH) {
      index += 1;
    } else if (character === QUOTE) {
      isInString = !isInString;
    } else if (!isInString) {
      depth += nesting.get(character) ?? 0;
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

const nesting: ReadonlyMap<number, number> = new Map([
  ['['.charCodeAt(0), 1],
  ['{'.charCodeAt(0), 1],
  [']'.charCodeAt(0), -1],
  ['}'.charCodeAt(0), -1],
]);
