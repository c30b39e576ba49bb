/**
 * The phrases that errors may contain, identified by their English text. {0} and {1} stand for values. The error
 * catalogue contains the translations of all these phrases, so no error contains an untranslated phrase.
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

/** Either a word or mark of the grammar, which is the same in all languages, or a phrase with its values. */
export type ErrorWord =
  | { readonly token: string }
  | { readonly phrase: QueryPhrase; readonly values?: readonly string[] };

/**
 * A list of alternatives; there is at least one. The text of an error joins the alternatives by commas, and puts "or"
 * before the last.
 */
export type ErrorWords = readonly ErrorWord[];

export function quote(token: string): ErrorWord {
  return { token };
}

export function phrase(words: QueryPhrase, ...values: readonly (string | number)[]): ErrorWord {
  return values.length === 0 ? { phrase: words } : { phrase: words, values: values.map(String) };
}

/**
 * All error codes with the names of their parameters. They are data rather than types only, so that a test can compare
 * the error catalogue with them.
 */
export const queryOptionErrors = Object.freeze({
  malformedEncoding: ['position', 'found'],
  queryTooLong: ['limit'],
  tooManyParameters: ['limit'],
  unknownParameter: ['parameter', 'known'],
  brokenParameter: ['found'],
  parameterWithoutDollar: ['parameter', 'right'],
  parameterOfOthers: ['parameter'],
  repeatedParameter: ['parameter'],
  missingParameter: ['parameter'],
  controlCharacter: ['parameter', 'position'],
  parameterNotAccepted: ['parameter'],
  invalidParameterValue: ['parameter', 'found', 'expected'],
  parameterTooLong: ['parameter', 'length', 'limit'],
  syntaxError: ['parameter', 'position', 'found', 'expected'],
  unquotedInstant: ['parameter', 'position', 'found'],
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
 * The type of a parameter. `expected` and `measure` are phrases. All other parameters are texts, such as an excerpt of
 * the client's text. `found` is a phrase if there is no such text.
 */
type ParameterOf<Name> = Name extends 'expected' | 'measure'
  ? ErrorWords
  : Name extends 'found'
    ? string | ErrorWords
    : string;

type QueryOptionProblem = {
  [Code in QueryOptionErrorCode]: readonly [
    code: Code,
    parameters: { readonly [Name in (typeof queryOptionErrors)[Code][number]]: ParameterOf<Name> },
  ];
}[QueryOptionErrorCode];

/**
 * The error for an invalid query option. The error catalogue has an entry with the same code and the same names of
 * parameters; this entry contains the text. `position` counts the code points of the decoded value from 1; for
 * malformedEncoding it counts those of the raw query string. `found` is an excerpt. `expected` and `known` list words
 * of the grammar.
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
