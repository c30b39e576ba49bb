import { describeProblems, describeValue, type EventProblem, eventProblem, words } from '../event-problem.js';
import { OBJECT_RULE } from '../event-types/define-event.js';
import { type EventType, parseEvent } from '../event-types/event-definitions.js';
import { MAX_JOB_BYTES } from '../queue/bounded-reads.js';

/** An event is invalid; nothing of that call was published. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  /** Position of the event in the call, from 0. */
  readonly index: number;
  readonly problems: readonly EventProblem[];

  constructor(index: number, problems: readonly EventProblem[]) {
    super(`event ${index}: ${describeProblems(problems)}`);
    this.index = index;
    this.problems = problems;
  }
}

/** A validated event: the caller's JSON, not its parsed form. */
export interface PreparedEvent {
  readonly type: EventType;
  /** Parsed from `text`, so that the caller cannot change it later. */
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

/** The problems for which publish would refuse an event; empty if none. */
export function findPublishingProblems(event: unknown): readonly EventProblem[] {
  const result = prepareEvent(event);
  return result.ok ? [] : result.problems;
}

/** An event for publishPrepared, or its problems. */
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
  // Validates the JSON, because dates and other classes may change in JSON.
  const data: unknown = JSON.parse(text);
  const result = parseEvent(data);
  if (!result.ok) return { ok: false, problems: asGiven(result.problems, event) };
  // Last, so that a known field reports its own rule, as the worker would.
  const unstorable = jsonTextProblem(text);
  if (unstorable !== undefined) return { ok: false, problems: [unstorable] };
  return { ok: true, prepared: { type: result.event.type, data, text } };
}

/**
 * Replaces the values that problems quote from the JSON by those of the caller: JSON allows 1e400, but JSON.stringify
 * cannot write it.
 */
function asGiven(problems: readonly EventProblem[], event: unknown): readonly EventProblem[] {
  const given = parseEvent(event);
  if (given.ok) return problems;
  return problems.map((problem) => given.problems.find(({ field }) => field === problem.field) ?? problem);
}

/** Undefined for values that JSON cannot have: cycles, big integers, functions, nesting beyond the stack. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, nameNonFinite);
  } catch {
    return undefined;
  }
}

/**
 * JSON.stringify writes null for NaN and Infinity, which would be valid for an unreported time. Their names as strings
 * would be valid text; inside an array they are invalid in every field.
 */
function nameNonFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}

/**
 * Lower than the limit of a job: leaves room for brackets, the job's options, and blanks that PostgreSQL writes between
 * names and values.
 */
export const MAX_EVENT_BYTES = MAX_JOB_BYTES - 2 ** 20;

/** Finds an event that is too large: a worker would reject its job unread. */
function sizeProblem(text: string): EventProblem | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_EVENT_BYTES) return undefined;
  const rule = words('must take at most {0} bytes as JSON', MAX_EVENT_BYTES);
  return eventProblem('', rule, words('{0} bytes', bytes));
}

// JSON.stringify writes \u only for control characters and lone surrogates, in lower case. An odd number of backslashes
// before the u makes an escape, an even number is literal text.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** PostgreSQL's JSON parser recurses; the contract nests three levels. */
const MAX_DEPTH = 500;

/**
 * Finds content that PostgreSQL would refuse, together with all events of the same statement: NUL or lone surrogates
 * anywhere, even in names and ignored fields, and deep nesting. The rule also applies to Redis, so that events can move
 * between stores.
 */
function jsonTextProblem(text: string): EventProblem | undefined {
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    const rule = words('must hold no NUL and no lone surrogates, also not in ignored fields');
    return eventProblem('', rule, describeValue(text));
  }
  // A shorter text cannot be so deep, so usual events are not scanned.
  if (text.length > 2 * MAX_DEPTH && depthOf(text) > MAX_DEPTH) {
    return eventProblem('', words('must not be nested more than {0} deep', MAX_DEPTH), describeValue(text));
  }
  return undefined;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/** Counts without a regular expression: one with an alternative per character overflows on a string of megabytes. */
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
