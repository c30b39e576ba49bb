/**
 * The languages that every text exists in, as ISO 639-3 codes (bokmål for Norwegian): the tags by which browsers ask for
 * them, first the one that a page bears, what the language calls itself, its decimal separator, and the quotation marks that
 * its texts use. English comes first.
 * Another language is a line here and a JSON file beside the others.
 */
export const languageSettings = {
  eng: { tags: ['en'], ownName: 'English', decimalSeparator: '.', quotes: ['“', '”'] },
  nob: { tags: ['nb', 'no', 'nn'], ownName: 'norsk bokmål', decimalSeparator: ',', quotes: ['«', '»'] },
  swe: { tags: ['sv'], ownName: 'svenska', decimalSeparator: ',', quotes: ['”', '”'] },
  dan: { tags: ['da'], ownName: 'dansk', decimalSeparator: ',', quotes: ['»', '«'] },
  deu: { tags: ['de'], ownName: 'Deutsch', decimalSeparator: ',', quotes: ['„', '“'] },
  fra: { tags: ['fr'], ownName: 'français', decimalSeparator: ',', quotes: ['«\u00a0', '\u00a0»'] },
  spa: { tags: ['es'], ownName: 'español', decimalSeparator: ',', quotes: ['«', '»'] },
  pol: { tags: ['pl'], ownName: 'polski', decimalSeparator: ',', quotes: ['„', '”'] },
} as const satisfies Readonly<Record<string, LanguageSettings>>;

interface LanguageSettings {
  readonly tags: readonly [string, ...string[]];
  readonly ownName: string;
  readonly decimalSeparator: '.' | ',';
  readonly quotes: readonly [string, string];
}

export type Language = keyof typeof languageSettings;

export const languages = Object.keys(languageSettings) as readonly Language[];

/** The tag that a page in the language bears (BCP 47). */
export const languageTag = (language: Language): string => languageSettings[language].tags[0];

/** The language of a three-letter code in any case, as `$lang` gives it; English for every other text. */
export function findLanguage(text: string | undefined): Language {
  const code = text?.toLowerCase();
  return languages.find((language) => language === code) ?? 'eng';
}
