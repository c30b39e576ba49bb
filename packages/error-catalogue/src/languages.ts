/** The languages every text exists in, as ISO 639-3 codes (bokmål for Norwegian); English comes first. */
export const languages = ['eng', 'nob', 'swe', 'dan', 'deu', 'fra', 'spa', 'pol'] as const;

export type Language = (typeof languages)[number];

/** One text in every language. */
export type Translations = Readonly<Record<Language, string>>;
