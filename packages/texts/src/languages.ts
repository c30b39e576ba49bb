/**
 * All languages by their ISO 639-3 codes, English first. Norwegian is bokmål. Each language has its tags in requests
 * (the first tag is also used in pages), its native name, its separators in numbers and its quotation marks. To add a
 * language, add a line here and a JSON file.
 */
export const languageSettings = {
  eng: { tags: ['en'], ownName: 'English', decimalSeparator: '.', groupSeparator: ',', quotes: ['“', '”'] },
  nob: {
    tags: ['nb', 'no', 'nn'],
    ownName: 'norsk bokmål',
    decimalSeparator: ',',
    groupSeparator: ' ',
    quotes: ['«', '»'],
  },
  swe: { tags: ['sv'], ownName: 'svenska', decimalSeparator: ',', groupSeparator: ' ', quotes: ['”', '”'] },
  dan: { tags: ['da'], ownName: 'dansk', decimalSeparator: ',', groupSeparator: '.', quotes: ['»', '«'] },
  deu: { tags: ['de'], ownName: 'Deutsch', decimalSeparator: ',', groupSeparator: '.', quotes: ['„', '“'] },
  fra: {
    tags: ['fr'],
    ownName: 'français',
    decimalSeparator: ',',
    groupSeparator: ' ',
    quotes: ['«\u00a0', '\u00a0»'],
  },
  spa: { tags: ['es'], ownName: 'español', decimalSeparator: ',', groupSeparator: '.', quotes: ['«', '»'] },
  pol: { tags: ['pl'], ownName: 'polski', decimalSeparator: ',', groupSeparator: ' ', quotes: ['„', '”'] },
} as const satisfies Readonly<Record<string, LanguageSettings>>;

interface LanguageSettings {
  readonly tags: readonly [string, ...string[]];
  readonly ownName: string;
  readonly decimalSeparator: '.' | ',';
  /** The separator that people write between thousands. */
  readonly groupSeparator: '.' | ',' | ' ';
  readonly quotes: readonly [string, string];
}

export type Language = keyof typeof languageSettings;

export const languages = Object.keys(languageSettings) as readonly Language[];

/** The tag of the language in a page (BCP 47). */
export const languageTag = (language: Language): string => languageSettings[language].tags[0];

/**
 * Finds the language with a three-letter code, as in `$lang`. Case does not matter. Any other text results in English.
 */
export function findLanguage(text: string | undefined): Language {
  const code = text?.toLowerCase();
  return languages.find((language) => language === code) ?? 'eng';
}
