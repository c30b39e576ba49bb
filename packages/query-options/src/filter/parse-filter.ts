import type { FilterExpression, Junction } from './filter-expression.js';
import { checkNodes, deeper } from './filter-limits.js';
import { parseCondition } from './parse-condition.js';
import { TokenReader } from './token-reader.js';

/**
 * Reads a $filter by the grammar of the README. Throws a QueryOptionError (syntaxError, unknownFunction or
 * expressionTooLarge).
 */
export function parseFilter(text: string): FilterExpression {
  const reader = new TokenReader('$filter', text, 'plain');
  const expression = parseOr(reader, 0);
  reader.expectEnd();
  checkNodes(expression);
  return expression;
}

function parseOr(reader: TokenReader, depth: number): FilterExpression {
  return parseJunction(reader, 'or', () => parseAnd(reader, depth));
}

function parseAnd(reader: TokenReader, depth: number): FilterExpression {
  return parseJunction(reader, 'and', () => parseNot(reader, depth));
}

function parseJunction(
  reader: TokenReader,
  kind: Junction['kind'],
  parseNext: () => FilterExpression,
): FilterExpression {
  const first = parseNext();
  const others: FilterExpression[] = [];
  while (reader.acceptKeyword([kind]) !== undefined) {
    others.push(parseNext());
  }
  if (others.length === 0) {
    return first;
  }
  const operands = [first, ...others].flatMap((operand) => operandsOf(kind, operand));
  return Object.freeze({ kind, operands: Object.freeze(operands) });
}

/** `(a and b) and c` means `a and b and c`: one node, so that how it was bracketed leaves no trace. */
function operandsOf(kind: Junction['kind'], expression: FilterExpression): readonly FilterExpression[] {
  return expression.kind === kind ? expression.operands : [expression];
}

function parseNot(reader: TokenReader, depth: number): FilterExpression {
  if (reader.acceptKeyword(['not']) === undefined) {
    return parsePrimary(reader, depth);
  }
  if (!reader.isApart() && reader.peek().kind !== '(') {
    throw reader.unexpected('white space', "'('");
  }
  return Object.freeze({ kind: 'not', operand: parsePrimary(reader, deeper(depth)) });
}

function parsePrimary(reader: TokenReader, depth: number): FilterExpression {
  if (reader.acceptMark('(') === undefined) {
    return parseCondition(reader, depth);
  }
  const inner = parseOr(reader, deeper(depth));
  reader.expectMark(')');
  return inner;
}
