import { type FoundPhrase, inEnglish, type RulePhrase, type Words, words } from './words.js';

/** One rule that a value given as an event breaks. */
export interface EventProblem {
  /** Path of the field, such as `data.runTime`; empty for the value as a whole. */
  readonly field: string;
  /** What is required, as in "must be an integer from 1 to 9". */
  readonly rule: string;
  /** What was there instead: at most 80 characters, safe to store and to show. */
  readonly got: string;
  /** The rule and what was there in parts, for who tells them in another language. */
  readonly words: { readonly rule: Words<RulePhrase>; readonly got: Found };
}

/** What was there: as it was written, or in words where nothing of it can be shown. */
export type Found = string | Words<FoundPhrase>;

/** The problem that the field, or with an empty one the event, breaks the rule. */
export function eventProblem(field: string, rule: Words<RulePhrase>, got: Found): EventProblem {
  return {
    field,
    rule: inEnglish(rule),
    got: typeof got === 'string' ? got : inEnglish(got),
    words: { rule, got },
  };
}

/** The problems in one line, as in `data.runTime must be ... (got -1); id must be ... (got nothing)`. */
export function describeProblems(problems: readonly Pick<EventProblem, 'field' | 'rule' | 'got'>[]): string {
  return problems.map(({ field, rule, got }) => `${field || 'event'} ${rule} (got ${got})`).join('; ');
}

const MAX_LENGTH = 80;

/**
 * Describes any value in at most 80 characters without NUL, line breaks or half surrogate pairs. Never calls
 * into the value and never walks it, so that a hostile or huge one costs nothing.
 */
export function describeValue(value: unknown): Found {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return words('nothing');
    case 'object':
      return describeObject(value);
    default:
      return words('a {0}', typeof value);
  }
}

function describeObject(value: object | null): Found {
  if (value === null) return 'null';
  return Array.isArray(value) ? words('an array of {0}', value.length) : words('an object');
}

function quote(text: string): string {
  // JSON escapes control characters and half pairs; a pair that the second cut would split is cut whole.
  const escaped = JSON.stringify(text.slice(0, MAX_LENGTH));
  if (text.length <= MAX_LENGTH && escaped.length <= MAX_LENGTH) return escaped;
  return `${escaped.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
