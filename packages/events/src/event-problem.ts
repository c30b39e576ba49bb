/**
 * Rules that a field or a whole event can break. Translations use the English phrase as their key. To add a rule, add a
 * line here; the translations do not compile until each of them has the new phrase.
 */
export const rulePhrases = [
  'must be a JSON object',
  'must be {0}',
  'must be one of {0}',
  'must be {0} or {1}',
  'must be an integer from {0} to {1}',
  'must be text of {0} to {1} characters without NUL or lone surrogates',
  'must be text of 1 to {0} characters in composed spelling (NFC), without blanks at its ends, control or directional characters',
  'must be given unless {0} is',
  'must be left out if {0} is given',
  'must be a URI reference of 1 to {0} characters, such as {1}',
  'must be hours as a number or plain decimal string from 0 to {0}',
  'must be hours of at most {0} characters',
  'must be an RFC 3339 date and time with offset, such as {0}',
  'must be in the years {0} to {1} in every time zone',
  'must be at most {0} hours ahead of the clock',
  'must take at most {0} bytes as JSON',
  'must hold no NUL and no lone surrogates, also not in ignored fields',
  'must not be nested more than {0} deep',
] as const;

/** Rules that only a worker can decide, because they depend on the database or on the job of the event. */
export const workerRulePhrases = [
  'must be the code of a registered company',
  'must be replaced by {0}, because the company names these objects by numbers',
  'must be replaced by {0}, because the company names these objects by keys',
  'must be of an operation that can still change',
  'must grow with every change',
  'must be of a type that the queue {0} takes',
  'must be one of at most {0} in a batch',
  'must be an event that the database can store',
] as const;

export type RulePhrase = (typeof rulePhrases)[number] | (typeof workerRulePhrases)[number];

export type FoundPhrase =
  | 'nothing'
  | 'an object'
  | 'an array of {0}'
  | 'a {0}'
  | '{0} bytes'
  | 'a value that cannot be read'
  | '{0} of {1}'
  | '{0} of {1}, which has pruned its operations from before {2}'
  | '{0}, which operation {1} of {2} has with other content'
  | '{0}, which application version {1} of {2} has with other content'
  | '{0}, which structure version {1} of {2} has with other content'
  | '{0}, which structure version {1} of {2}, or its product {3}, has with other content';

/**
 * A phrase together with the values that replace its placeholders {0} and {1}. The values are numbers, names and
 * examples; they are the same in all languages.
 */
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

/** Returns the English text with the values inserted. A `{1}` that occurs inside a value is not replaced. */
export function inEnglish({ phrase, values }: Words<string>): string {
  return phrase.replaceAll(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}

export interface EventProblem {
  /** Path of the field, such as `data.runTime`; empty if the problem concerns the whole event. */
  readonly field: string;
  /** The rule as words that complete a sentence about the field, such as "must be an integer from 1 to 9". */
  readonly rule: string;
  /** Description of the value that was found, in at most 80 characters that are safe to store and to show. */
  readonly got: string;
  /** The rule and the found value, each split into phrase and values so that they can be translated. */
  readonly words: { readonly rule: Words<RulePhrase>; readonly got: Found };
}

/** The found value as quoted text, or a phrase if the value cannot be shown. */
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
 * Describes any value in at most 80 characters without NUL, line breaks or lone surrogates. The function never calls
 * methods of the value and never walks through its content, so a hostile or huge value costs nothing.
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

/** Quotes a text as describeValue does. */
export function quote(text: string): string {
  // In JSON, control characters and lone surrogates are escaped. If the second cut would split a surrogate pair or an
  // escape, the whole of it is removed.
  // The sign of a cut is escaped too, so that ruleOf finds the end of a value.
  const escaped = JSON.stringify(text.slice(0, MAX_LENGTH)).replaceAll('…', '\\u2026');
  if (text.length <= MAX_LENGTH && escaped.length <= MAX_LENGTH) return escaped;
  return `${escaped.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$|(?<=(?:^|[^\\])(?:\\\\)*)\\(?:u[\da-f]{0,3})?$/i, '')}…`;
}

/**
 * Matches the description of the found value that ends each problem in the text of describeProblems. The description
 * consists of plain words and of quoted text. The last text may be truncated.
 */
const CLOSED = String.raw`"(?:(?!\\?…\))(?:[^"\\]|\\.))*"`;
const CUT = String.raw`"(?:(?!\\?…\))(?:[^"\\]|\\.))*\\?…`;
const GOT = new RegExp(String.raw` \(got (?:[^"()]|${CLOSED})*(?:${CUT})?\)`, 'g');

/**
 * Returns the reason of a rejection without the values of the single event. The result is the same for all events that
 * break the same rules.
 */
export function ruleOf(reason: string): string {
  return reason.replace(GOT, '');
}
