import { type Language, type Texts, translatedTexts } from '@takt/texts';

/**
 * The words that the parameter of an error may consist of besides what a client wrote and what the interface calls by
 * name, by the English ones. What is counted stands in the form that follows a number from five on.
 */
export type Phrase = keyof Texts['phrases'];

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
  return words.length === 0 ? last : `${words.join(', ')} ${renderPhrase('or', language)} ${last}`;
}

function renderWord(word: ErrorWord, language: Language): string {
  if ('token' in word) return `'${word.token}'`;
  const text = renderPhrase(word.phrase, language);
  return text.replaceAll(
    /\{(\d+)\}/g,
    (placeholder, index: string) => word.values?.[Number(index)] ?? placeholder,
  );
}

function renderPhrase(phrase: Phrase, language: Language): string {
  return language === 'eng' ? phrase : translatedTexts[language].phrases[phrase];
}
