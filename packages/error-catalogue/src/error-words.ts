import { OR, type Phrase, phrases } from './definitions/phrases.js';
import type { Language } from './languages.js';

/** A word or mark of the interface, which is the same in every language, or a phrase with the values of its {0}, {1}. */
export type ErrorWord =
  | { readonly token: string }
  | { readonly phrase: Phrase; readonly values?: readonly string[] };

/** Alternatives, at least one. */
export type ErrorWords = readonly ErrorWord[];

/**
 * What stands for a placeholder: a text that no language changes (what a client wrote, a name, a number), or words,
 * which are read in each language.
 */
export type ErrorValue = string | ErrorWords;

/** A value as it is read: a token between quotes, several alternatives as `'and', 'or' or end of text`. */
export function renderValue(value: ErrorValue, language: Language): string {
  if (typeof value === 'string') return value;
  const words = value.map((word) => renderWord(word, language));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} ${OR[language]} ${last}`;
}

function renderWord(word: ErrorWord, language: Language): string {
  if ('token' in word) return `'${word.token}'`;
  const text = language === 'eng' ? word.phrase : phrases[word.phrase][language];
  return text.replaceAll(
    /\{(\d+)\}/g,
    (placeholder, index: string) => word.values?.[Number(index)] ?? placeholder,
  );
}
