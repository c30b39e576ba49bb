/** What a client may ask for at most; past any of these the answer is a QueryOptionError. Characters are code points. */
export const limits = Object.freeze({
  queryStringCharacters: 8_000,
  parameters: 50,
  filterCharacters: 2_000,
  /** Of the value of any parameter but $filter. */
  valueCharacters: 4_000,
  /** Parentheses, `not` and function calls around each other: the parser's own stack stays this shallow. */
  filterDepth: 20,
  filterNodes: 100,
  listValues: 50,
  /** Of one number as written, leading and trailing zeros included. */
  numberDigits: 40,
  orderFields: 4,
  searchWords: 20,
  /** A row skipped is a row read: further down, a page key is the way. */
  skippedRows: 10_000,
  minimumVersion: 1_000_000,
});
