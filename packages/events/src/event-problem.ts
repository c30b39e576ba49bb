/**
 * Rules for a field or the whole event. Translations use the English phrase as key: to add a rule, add a line here;
 * translations no longer compile until they have it.
 */
export const rulePhrases = [
  'must be a JSON object',
  'must be {0}',
  'must be one of {0}',
  'must be {0} or {1}',
  'must be an integer from {0} to {1}',
  'must be text of {0} to {1} characters without NUL or lone surrogates',
  'must be a URI reference of 1 to {0} characters, such as {1}',
  'must be hours as a number or plain decimal string from 0 to {0}',
  'must be hours of at most {0} characters',
  'must be an RFC 3339 date and time with offset, such as {0}',
  'must take at most {0} bytes as JSON',
  'must hold no NUL and no lone surrogates, also not in ignored fields',
  'must not be nested more than {0} deep',
] as const;

export type RulePhrase = (typeof rulePhrases)[number];

/** Descriptions of a value that cannot be quoted. */
export type FoundPhrase =
  | 'nothing'
  | 'an object'
  | 'an array of {0}'
  | 'a {0}'
  | '{0} bytes'
  | 'a value that cannot be read';

/** A phrase with the values of {0} and {1}: numbers, names and examples, the same in all languages. */
export interface Words<Phrase extends string> {
  readonly phrase: Phrase;
  readonly values: readonly string[];
}

export function words<Phrase extends string>(
  phrase: Phrase,
  ...values: readonly (string | number)[]
): Words<Phrase> {
  return { phrase, values: values.map(String) };
}

/** The English text. A `{1}` inside a value is not replaced. */
export function inEnglish({ phrase, values }: Words<string>): string {
  return phrase.replaceAll(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}

/** A rule that an event breaks. */
export interface EventProblem {
  /** Path of the field, such as `data.runTime`; empty for the whole event. */
  readonly field: string;
  /** A predicate, such as "must be an integer from 1 to 9". */
  readonly rule: string;
  /** The actual value: at most 80 characters, safe to store and show. */
  readonly got: string;
  /** Rule and value in parts, for translations. */
  readonly words: { readonly rule: Words<RulePhrase>; readonly got: Found };
}

/** The actual value: quoted, or a phrase if it cannot be shown. */
export type Found = string | Words<FoundPhrase>;

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
 * Describes any value in at most 80 characters without NUL, line breaks or lone surrogates. Never calls into or walks
 * the value, so that a hostile or huge one costs nothing.
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
  // JSON escapes control characters and lone surrogates; a pair at the second cut is removed as a whole.
  const escaped = JSON.stringify(text.slice(0, MAX_LENGTH));
  if (text.length <= MAX_LENGTH && escaped.length <= MAX_LENGTH) return escaped;
  return `${escaped.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The value at the end of each problem in describeProblems: quoted, possibly truncated, or plain words. */
const GOT = / \(got (?:"(?:[^"\\]|\\.)*(?:"|…)|[^"()]*)\)/g;

/** The reason without the values of the single event: the same for all events that break one rule. */
export function ruleOf(reason: string): string {
  return reason.replace(GOT, '');
}
