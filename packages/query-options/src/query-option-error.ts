/** Every code and the names of its parameters: data, so that the error catalogue can be checked against it. */
export const queryOptionErrors = Object.freeze({
  malformedEncoding: ['position', 'found'],
  queryTooLong: ['limit'],
  tooManyParameters: ['limit'],
  unknownParameter: ['parameter', 'known'],
  repeatedParameter: ['parameter'],
  controlCharacter: ['parameter', 'position'],
  parameterNotAccepted: ['parameter'],
  invalidParameterValue: ['parameter', 'found', 'expected'],
  parameterTooLong: ['parameter', 'length', 'limit'],
  syntaxError: ['parameter', 'position', 'found', 'expected'],
  expressionTooLarge: ['parameter', 'measure', 'limit'],
  unknownFunction: ['parameter', 'position', 'found', 'known'],
  tooManyOrderFields: ['limit'],
  skipWithPageKey: [],
} as const);

export type QueryOptionErrorCode = keyof typeof queryOptionErrors;

/** A code with exactly its parameters, all of them text. */
export type QueryOptionFault = {
  [Code in QueryOptionErrorCode]: readonly [
    code: Code,
    parameters: Readonly<Record<(typeof queryOptionErrors)[Code][number], string>>,
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
  readonly parameters: Readonly<Record<string, string>>;

  constructor(...[code, parameters]: QueryOptionFault) {
    super(`${code} ${JSON.stringify(parameters)}`);
    this.code = code;
    this.parameters = Object.freeze({ ...parameters });
  }
}
