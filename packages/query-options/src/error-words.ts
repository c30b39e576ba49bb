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
