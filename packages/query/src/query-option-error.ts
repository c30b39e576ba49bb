/**
 * Phrases in errors, identified by their English text. {0} and {1} stand for values. The error catalogue has their
 * translations, so no error contains an untranslated phrase.
 */
export type QueryPhrase =
  | 'end of text'
  | 'nothing'
  | 'field'
  | 'literal'
  | 'function'
  | 'function that gives a value'
  | 'name'
  | 'number'
  | 'number of at most {0} digits'
  | 'integer {0}..{1}'
  | 'month {0}..{1}'
  | '{0} to {1} identifiers separated by commas'
  | '{0} to {1} characters'
  | 'address of a resource'
  | 'closing quote'
  | 'white space'
  | 'page key'
  | 'levels of parentheses, not and functions'
  | 'comparisons'
  | 'values in a list'
  | 'arithmetic operations in an operand'
  | 'words';

/** A word or mark of the grammar, the same in all languages, or a phrase with its values. */
export type ErrorWord =
  | { readonly token: string }
  | { readonly phrase: QueryPhrase; readonly values?: readonly string[] };

/** Alternatives, at least one. Error texts join them by commas and a final "or". */
export type ErrorWords = readonly ErrorWord[];

/** A word or mark of the grammar. */
export function quote(token: string): ErrorWord {
  return { token };
}

export function phrase(words: QueryPhrase, ...values: readonly (string | number)[]): ErrorWord {
  return values.length === 0 ? { phrase: words } : { phrase: words, values: values.map(String) };
}

/**
 * All codes with the names of their parameters. They are data, so that the error catalogue can be checked against them.
 */
export const queryOptionErrors = Object.freeze({
  malformedEncoding: ['position', 'found'],
  queryTooLong: ['limit'],
  tooManyParameters: ['limit'],
  unknownParameter: ['parameter', 'known'],
  brokenParameter: ['found'],
  repeatedParameter: ['parameter'],
  missingParameter: ['parameter'],
  controlCharacter: ['parameter', 'position'],
  parameterNotAccepted: ['parameter'],
  invalidParameterValue: ['parameter', 'found', 'expected'],
  parameterTooLong: ['parameter', 'length', 'limit'],
  syntaxError: ['parameter', 'position', 'found', 'expected'],
  expressionTooLarge: ['parameter', 'measure', 'limit'],
  unknownFunction: ['parameter', 'position', 'found', 'known'],
  tooManyOrderFields: ['limit'],
  skipWithPageKey: [],
  exportOfOneObject: ['format'],
  parameterOfPages: ['parameter', 'format'],
  decimalWithoutCsv: [],
} as const);

type QueryOptionErrorCode = keyof typeof queryOptionErrors;

/**
 * The type of a parameter: `expected` and `measure` are phrases; other parameters are a text, such as an excerpt of the
 * client's, or a phrase if the value is absent.
 */
type ParameterOf<Name> = Name extends 'expected' | 'measure'
  ? ErrorWords
  : Name extends 'found'
    ? string | ErrorWords
    : string;

/** A code with exactly its parameters. */
type QueryOptionProblem = {
  [Code in QueryOptionErrorCode]: readonly [
    code: Code,
    parameters: { readonly [Name in (typeof queryOptionErrors)[Code][number]]: ParameterOf<Name> },
  ];
}[QueryOptionErrorCode];

/**
 * An invalid query option. The code and the names of its parameters match an entry of the error catalogue, which has
 * the text. `position` is 1-based in code points of the decoded value (for malformedEncoding: of the raw query string),
 * `found` is an excerpt, and `expected` and `known` list words of the grammar.
 */
export class QueryOptionError extends Error {
  override readonly name = 'QueryOptionError';
  readonly code: QueryOptionErrorCode;
  readonly parameters: Readonly<Record<string, string | ErrorWords>>;

  constructor(...[code, parameters]: QueryOptionProblem) {
    super(`${code} ${JSON.stringify(parameters)}`);
    this.code = code;
    this.parameters = Object.freeze({ ...parameters });
  }
}
