import { type Language, type Texts, type Translations, translatedTexts } from '@takt/texts';

export type HttpStatus = 400 | 403 | 404 | 500;

/** The description of each status, which is served as `hTTPStatusDescription`. */
export const statusDescriptions: Readonly<Record<HttpStatus, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalServerError',
};

/** The area to which an error belongs. Clients receive the area; its only use is to group errors. */
export type ErrorNamespace = 'system' | 'access' | 'query' | 'resource' | 'intake';

export interface ErrorDefinition {
  /**
   * The number that identifies the error. Clients compare this number, and it is the key in the resource for error
   * messages. So each number is unique and is never used again for another error.
   */
  readonly errorMessageId: number;
  readonly status: HttpStatus;
  readonly namespace: ErrorNamespace;
  /** The names of the parameters, in the order of the placeholders {0}, {1}, ... in the text. */
  readonly parameters: readonly string[];
  /** An English text for integrators, which explains the cause and the remedy. */
  readonly technicalDescription: string;
  /** An English text for people. It names the parameter, field or value that is wrong, and the next step. */
  readonly text: string;
  /** The value of the Retry-After header. Set only if it helps to wait. */
  readonly retryAfterSeconds?: number;
  /** The value of the WWW-Authenticate header. Set only if it helps to send another token. */
  readonly wwwAuthenticate?: string;
  /** True if this version never answers with the error. It stays in the catalogue for those who have kept its number. */
  readonly isObsolete?: boolean;
}

export interface ErrorEntry extends ErrorDefinition {
  readonly texts: Translations;
}

export type ErrorDefinitions<N extends ErrorNamespace> = Readonly<
  Record<string, ErrorDefinition & { readonly namespace: N }>
>;

/**
 * The phrases that a parameter of an error may contain, identified by their English text. All other content of
 * parameters is text from a client, or names of the API. In languages with several plural forms, a counted noun has the
 * form that is used after five.
 */
export type Phrase = keyof Texts['phrases'];

/** Either a word or mark of the API, which is the same in all languages, or a phrase with its values. */
export type ErrorWord =
  | { readonly token: string }
  | { readonly phrase: Phrase; readonly values?: readonly string[] };

export type ErrorWords = readonly ErrorWord[];

/**
 * The value of a placeholder. It is either a text that is the same in all languages (text from a client, a name or a
 * number), or phrases.
 */
export type ErrorValue = string | ErrorWords;

/**
 * Writes the value of a placeholder as text. Words of the API are in quotes, and alternatives are joined as in `'and',
 * 'or' or end of text`.
 */
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
