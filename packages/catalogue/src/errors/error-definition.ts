import { type Language, type Texts, type Translations, translatedTexts } from '@takt/texts';

/** The HTTP statuses of failed requests. */
export type HttpStatus = 400 | 403 | 404 | 500;

/** Served as `hTTPStatusDescription`. */
export const statusDescriptions: Readonly<Record<HttpStatus, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalServerError',
};

/** The area of an error. It is served, and used only for grouping. */
export type ErrorNamespace = 'system' | 'access' | 'query' | 'resource' | 'intake';

export interface ErrorDefinition {
  /** Unique and never reused: clients compare it, and it is the key of the resource for error messages. */
  readonly errorMessageId: number;
  readonly status: HttpStatus;
  readonly namespace: ErrorNamespace;
  /** Names of the parameters, in the order of the placeholders {0}, {1}, ... */
  readonly parameters: readonly string[];
  /** English text for integrators: the cause and the remedy. */
  readonly technicalDescription: string;
  /** English text for people: the parameter, field or value at fault and the next step. */
  readonly text: string;
  /** Value of the Retry-After header, if waiting helps. */
  readonly retryAfterSeconds?: number;
  /** Value of the WWW-Authenticate header, if another token helps. */
  readonly wwwAuthenticate?: string;
}

/** A definition with its text in all languages. */
export interface ErrorEntry extends ErrorDefinition {
  readonly texts: Translations;
}

export type ErrorDefinitions<N extends ErrorNamespace> = Readonly<
  Record<string, ErrorDefinition & { readonly namespace: N }>
>;

/**
 * The phrases that a parameter of an error may contain, by their English text. Otherwise a parameter contains a
 * client's text or names of the interface. Counted nouns have the form used after five.
 */
export type Phrase = keyof Texts['phrases'];

/** A word or mark of the interface, which is the same in all languages, or a phrase with its values. */
export type ErrorWord =
  | { readonly token: string }
  | { readonly phrase: Phrase; readonly values?: readonly string[] };

export type ErrorWords = readonly ErrorWord[];

/**
 * The value of a placeholder: a text that is the same in all languages (from a client, a name or a number), or phrases.
 */
export type ErrorValue = string | ErrorWords;

/** The value as text: tokens in quotes, alternatives as `'and', 'or' or end of text`. */
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
