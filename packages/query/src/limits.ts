/** What a client may ask for at most; past any of these the answer is a QueryOptionError. Characters are code points. */
export const limits = Object.freeze({
  /** Room for a $filter as long as it may be, with blanks and quotes percent encoded, and for the rest. */
  queryStringCharacters: 32_000,
  parameters: 50,
  filterCharacters: 16_000,
  /** Of the value of any parameter but $filter. */
  valueCharacters: 4_000,
  /** Parentheses, `not` and function calls around each other: the parser's own stack stays this shallow. */
  filterDepth: 20,
  /** Comparisons, `in` and boolean functions. */
  comparisons: 1_000,
  listValues: 1_000,
  /** Of add, sub, mul, div and mod in one operand: each goes one level deeper. */
  operations: 100,
  /** Of one number, written out without exponent: JavaScript prints none that has more than 325. */
  numberDigits: 400,
  /** Of what arithmetic can give, before and behind the decimal point each: it stays exact and small. */
  resultDigits: 1_000,
  orderFields: 4,
  searchWords: 20,
  /** A row skipped is a row read: further down, a page key is the way. */
  skippedRows: 10_000,
  minimumVersion: 1_000_000,
});
