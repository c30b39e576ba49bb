/**
 * Words in an error that every language has its own for, by the English ones: the error catalogue has the others, and
 * so an error can hold none that is not translated. {0} and {1} stand for values.
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
  | '{0} to {1} identifiers with commas between them'
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

/** A word or mark of the grammar, which is the same in every language, or a phrase with its values. */
export type ErrorWord =
  | { readonly token: string }
  | { readonly phrase: QueryPhrase; readonly values?: readonly string[] };

/** Alternatives, at least one: a client reads them with commas, and an "or" before the last. */
export type ErrorWords = readonly ErrorWord[];

/** A word or mark of the grammar. */
export function quote(token: string): ErrorWord {
  return { token };
}

export function phrase(words: QueryPhrase, ...values: readonly (string | number)[]): ErrorWord {
  return values.length === 0 ? { phrase: words } : { phrase: words, values: values.map(String) };
}

/** Every code and the names of its parameters: data, so that the error catalogue can be checked against it. */
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

/** What is told of in words is never a text, what a client sent is one; where it sent nothing, words say so. */
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
 * A query option that cannot be read. The code and the parameters' names equal an entry of the error catalogue, which
 * holds the prose; `position` is 1-based and counts code points of the decoded value (malformedEncoding: of the raw
 * query string), `found` is an excerpt, `expected` and `known` list tokens and words of the grammar.
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
