import { excerpt } from '../characters.js';
import { QueryOptionError } from '../query-option-error.js';
import type { Token } from './tokenize.js';

/** The parameters whose values are expressions. */
export type ExpressionParameter = '$filter' | '$orderby' | '$select' | '$expand';

/** Something else than the token was expected where it stands: one of these. */
export function syntaxError(
  parameter: ExpressionParameter,
  found: Pick<Token, 'text' | 'position'>,
  expected: readonly string[],
): QueryOptionError {
  return new QueryOptionError('syntaxError', {
    parameter,
    position: String(found.position),
    found: excerpt(found.text),
    expected: listAlternatives([...new Set(expected)]),
  });
}

/** As a client reads it in an error: `'and', 'or' or ')'`. */
export function listAlternatives(alternatives: readonly string[]): string {
  const last = alternatives.at(-1) ?? '';
  return alternatives.length > 1 ? `${alternatives.slice(0, -1).join(', ')} or ${last}` : last;
}

/** A word or mark of the grammar, told from the names of what stands for many, such as field or literal. */
export function quote(token: string): string {
  return `'${token}'`;
}
