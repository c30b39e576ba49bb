/** Limits of a request; a request above one of them gets a QueryOptionError. Characters are code points. */
export const limits = Object.freeze({
  /** Enough for the longest $filter with percent-encoded blanks and quotes, and for other parameters. */
  queryStringCharacters: 32_000,
  parameters: 50,
  filterCharacters: 16_000,
  /** Length of the value of any parameter except $filter. */
  valueCharacters: 4_000,
  /** Depth of parentheses, `not` and function calls, which bounds the parser's stack. */
  filterDepth: 20,
  /** Number of comparisons, `in` and boolean functions. */
  comparisons: 1_000,
  listValues: 1_000,
  /** Arithmetic operations in one operand: each makes the tree one level deeper. */
  operations: 100,
  /** Digits of one number written without exponent; JavaScript prints at most 325. */
  numberDigits: 400,
  /** Digits of an arithmetic result before and after the decimal point, so that the result stays exact and small. */
  resultDigits: 1_000,
  orderFields: 4,
  searchWords: 20,
  /** Limited because skipped rows are read too; page keys lead to later rows at no such cost. */
  skippedRows: 10_000,
  minimumVersion: 1_000_000,
});
