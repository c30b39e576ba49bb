import { type Language, type Texts, type Translations, translatedTexts } from '@takt/texts';

/** The only HTTP statuses that the service answers a failed request with. */
export type HttpStatus = 400 | 403 | 404 | 500;

/** The one-word description of each status, served as `hTTPStatusDescription`. */
export const statusDescriptions: Readonly<Record<HttpStatus, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalServerError',
};

/** Groups errors by what they are about; served, and used for nothing but grouping. */
export type ErrorNamespace = 'system' | 'access' | 'query' | 'resource' | 'intake';

/** Everything there is to know about one error. */
export interface ErrorDefinition {
  /** Unique and never reused: clients compare it, and it addresses the error message resource. */
  readonly errorMessageId: number;
  readonly status: HttpStatus;
  readonly namespace: ErrorNamespace;
  /** The names of the parameters, in the order of the placeholders {0}, {1}, ... */
  readonly parameters: readonly string[];
  /** For integrators, in English: when the error is raised, and what to do about it. */
  readonly technicalDescription: string;
  /** What a person reads, in English: the parameter, field or value at fault and what to do next. */
  readonly text: string;
  /** Value of the Retry-After header, where waiting helps. */
  readonly retryAfterSeconds?: number;
  /** Value of the WWW-Authenticate header, where another token helps. */
  readonly wwwAuthenticate?: string;
}

/** A definition with its text in every language. */
export interface ErrorEntry extends ErrorDefinition {
  readonly texts: Translations;
}

/** The definitions of one namespace, by code. */
export type ErrorDefinitions<N extends ErrorNamespace> = Readonly<
  Record<string, ErrorDefinition & { readonly namespace: N }>
>;

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
