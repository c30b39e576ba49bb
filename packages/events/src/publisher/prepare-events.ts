import { describeProblems, describeValue, type EventProblem, eventProblem, words } from '../event-problem.js';
import { OBJECT_RULE } from '../event-types/define-event.js';
import { type EventType, parseEvent } from '../event-types/event-definitions.js';
import { MAX_JOB_BYTES } from '../queue/queue-names.js';

/** Thrown if an event of a call is invalid. In that case no event of the call was published. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  /** Position of the invalid event in the call, counted from 0. */
  readonly index: number;
  readonly problems: readonly EventProblem[];

  constructor(index: number, problems: readonly EventProblem[]) {
    super(`event ${index}: ${describeProblems(problems)}`);
    this.index = index;
    this.problems = problems;
  }
}

/** A validated event. It keeps the JSON of the caller instead of the normalised form. */
export interface PreparedEvent {
  readonly type: EventType;
  /** The event, parsed from `text` so that the caller cannot change it afterwards. */
  readonly data: unknown;
  readonly text: string;
}

/** Validates all events before any is published. Throws an InvalidEventError for the first invalid one. */
export function prepareEvents(events: readonly unknown[]): PreparedEvent[] {
  return events.map((event, index) => {
    const result = prepareEvent(event);
    if (!result.ok) throw new InvalidEventError(index, result.problems);
    return result.prepared;
  });
}

export type Preparation =
  | { readonly ok: true; readonly prepared: PreparedEvent }
  | { readonly ok: false; readonly problems: readonly EventProblem[] };

/** Validates one value and serialises it. Never throws. */
export function prepareEvent(event: unknown): Preparation {
  const text = stringify(event);
  if (text === undefined) {
    return { ok: false, problems: [eventProblem('', OBJECT_RULE, describeValue(event))] };
  }
  const tooLarge = sizeProblem(text);
  if (tooLarge !== undefined) return { ok: false, problems: [tooLarge] };
  // The JSON text is validated instead of the value, because dates and instances of other classes may look different in
  // JSON.
  const data: unknown = JSON.parse(text);
  const result = parseEvent(data);
  if (!result.ok) return { ok: false, problems: asGiven(result.problems, event) };
  // The text is checked last, so that a known field reports its own rule, as it would in the worker.
  const unstorable = jsonTextProblem(text);
  if (unstorable !== undefined) return { ok: false, problems: [unstorable] };
  return { ok: true, prepared: { type: result.event.type, data, text } };
}

/**
 * In the problems, replaces values that were quoted from the JSON text by the values that the caller gave. The two can
 * differ: JSON allows 1e400, but JSON.stringify cannot write that number.
 */
function asGiven(problems: readonly EventProblem[], event: unknown): readonly EventProblem[] {
  const given = parseEvent(event);
  if (given.ok) return problems;
  return problems.map((problem) => given.problems.find(({ field }) => field === problem.field) ?? problem);
}

/**
 * Returns undefined for a value that JSON cannot express: a cycle, a big integer, a function, or nesting too deep for
 * the stack.
 */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, nameNonFinite);
  } catch {
    return undefined;
  }
}

/**
 * JSON.stringify would write NaN and Infinity as null, and null would be valid for a time that was not reported. The
 * names of these numbers as plain strings would be valid text. So each name is put inside an array, which is invalid in
 * every field.
 */
function nameNonFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}

/**
 * Size limit of an event in bytes. It is lower than the limit of a job to leave room for the brackets and options of
 * the job, and for the blanks that PostgreSQL writes between names and values.
 */
export const MAX_EVENT_BYTES = MAX_JOB_BYTES - 2 ** 20;

/** Finds out if the event is too large. A worker would reject the job of such an event without reading it. */
function sizeProblem(text: string): EventProblem | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_EVENT_BYTES) return undefined;
  const rule = words('must take at most {0} bytes as JSON', MAX_EVENT_BYTES);
  return eventProblem('', rule, words('{0} bytes', bytes));
}

// JSON.stringify writes \u, always in lower case, only for control characters and lone surrogates. A \u is an escape
// only if the number of backslashes before the u is odd; with an even number it is literal text.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Maximum depth of nested values in an event. The limit is needed because PostgreSQL's JSON parser is recursive. Events
 * of the contract nest only three levels.
 */
const MAX_DEPTH = 500;

/**
 * Finds content that PostgreSQL would refuse, together with all other events of the same statement: NUL or lone
 * surrogates anywhere, even in names and ignored fields, and deep nesting. The rule also applies on Redis, so that
 * events can move between the stores.
 */
function jsonTextProblem(text: string): EventProblem | undefined {
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    const rule = words('must hold no NUL and no lone surrogates, also not in ignored fields');
    return eventProblem('', rule, describeValue(text));
  }
  // A text of this length or shorter cannot be nested too deep, so usual events are not scanned.
  if (text.length > 2 * MAX_DEPTH && depthOf(text) > MAX_DEPTH) {
    return eventProblem('', words('must not be nested more than {0} deep', MAX_DEPTH), describeValue(text));
  }
  return undefined;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/**
 * Counts the depth of nesting without a regular expression, because an expression with an alternative for each
 * character would overflow the stack on a string of megabytes.
 */
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
