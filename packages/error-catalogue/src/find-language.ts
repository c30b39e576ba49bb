import { type Language, languages } from './languages.js';

/** The language of a three-letter code in any case, as `$lang` gives it; English for every other text. */
export function findLanguage(text: string | undefined): Language {
  const code = text?.toLowerCase();
  return languages.find((language) => language === code) ?? 'eng';
}
