/**
 * The limits of a request. A request that exceeds one of them is refused with a QueryOptionError. Characters are
 * counted as code points.
 */
export const limits = Object.freeze({
  /**
   * The maximum number of characters in the query string. This is enough for the longest $filter with percent-encoded
   * blanks and quotes, and for other parameters.
   */
  queryStringCharacters: 32_000,
  parameters: 50,
  filterCharacters: 16_000,
  /** The maximum number of characters in the value of a parameter. $filter has a limit of its own. */
  valueCharacters: 4_000,
  /**
   * The maximum depth to which parentheses, `not` and function calls are nested. It limits the stack that the parser
   * uses.
   */
  filterDepth: 20,
  /** The maximum number of comparisons, uses of `in` and boolean functions in a filter. */
  comparisons: 1_000,
  listValues: 1_000,
  /** The maximum number of arithmetic operations in one operand. Each operation makes the tree one level deeper. */
  operations: 100,
  /**
   * The maximum number of digits of a number when it is written without an exponent. JavaScript prints at most 325
   * digits.
   */
  numberDigits: 400,
  /**
   * The maximum number of digits of an arithmetic result, before and after the decimal point. It keeps results exact
   * and small.
   */
  resultDigits: 1_000,
  orderFields: 4,
  searchWords: 20,
  /**
   * The maximum number of rows that a request skips. It is limited because skipped rows must be read too. Page keys
   * lead to later rows without this cost.
   */
  skippedRows: 10_000,
  minimumVersion: 1_000_000,
});
