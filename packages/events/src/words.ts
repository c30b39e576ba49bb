/**
 * What an event must satisfy, said of a field or of the event as a whole. The English words are the key by which other
 * languages know a rule: a new one is a line here, and whoever tells faults in other languages no longer compiles
 * until it is translated.
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

/** What was there instead, where it is not told by what was written. */
export type FoundPhrase =
  | 'nothing'
  | 'an object'
  | 'an array of {0}'
  | 'a {0}'
  | '{0} bytes'
  | 'a value that cannot be read';

/** A phrase, and what stands in the places of {0} and {1}: figures, names and examples, the same in every language. */
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

/** The English text. A value that itself holds `{1}` stays as it is. */
export function inEnglish({ phrase, values }: Words<string>): string {
  return phrase.replaceAll(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}
