/**
 * The languages that every text exists in, as ISO 639-3 codes (bokmål for Norwegian), with the tags by which browsers
 * ask for them: first the one that a page bears. English comes first.
 */
export const languageTags = {
  eng: ['en'],
  nob: ['nb', 'no', 'nn'],
  swe: ['sv'],
  dan: ['da'],
  deu: ['de'],
  fra: ['fr'],
  spa: ['es'],
  pol: ['pl'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type Language = keyof typeof languageTags;

export const languages = Object.keys(languageTags) as readonly Language[];

/** One text in every language. */
export type Translations = Readonly<Record<Language, string>>;

/** One text beside the English that names it. */
export type InOtherLanguages = Omit<Translations, 'eng'>;

/** The language of a three-letter code in any case, as `$lang` gives it; English for every other text. */
export function findLanguage(text: string | undefined): Language {
  const code = text?.toLowerCase();
  return languages.find((language) => language === code) ?? 'eng';
}
