/** Limits of a request; above one of them the answer is a QueryOptionError. Characters are code points. */
export const limits = Object.freeze({
  /** Room for the longest $filter, with blanks and quotes percent-encoded, and for other parameters. */
  queryStringCharacters: 32_000,
  parameters: 50,
  filterCharacters: 16_000,
  /** Value of any parameter except $filter. */
  valueCharacters: 4_000,
  /** Nested parentheses, `not` and function calls: this bounds the parser's stack. */
  filterDepth: 20,
  /** Comparisons, `in` and boolean functions. */
  comparisons: 1_000,
  listValues: 1_000,
  /** Arithmetic operations in one operand: each nests one level deeper. */
  operations: 100,
  /** Digits of one number without exponent: JavaScript prints at most 325. */
  numberDigits: 400,
  /** Digits of an arithmetic result, before and after the decimal point: it stays exact and small. */
  resultDigits: 1_000,
  orderFields: 4,
  searchWords: 20,
  /** A skipped row is read nevertheless; page keys lead further down. */
  skippedRows: 10_000,
  minimumVersion: 1_000_000,
});
