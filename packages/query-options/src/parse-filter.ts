import {
  type Comparison,
  type ComparisonOperator,
  comparisonOperators,
  type FilterExpression,
  type Inclusion,
  type Junction,
  type Literal,
  type Operand,
  type TextMatch,
  type TextTestName,
  textTests,
} from './filter-expression.js';
import { limits } from './limits.js';
import { deeper, parseLiteral, parseOperand, peekFunction } from './parse-operand.js';
import { expressionTooLarge, TokenReader } from './tokens.js';

const operators = Object.keys(comparisonOperators) as ComparisonOperator[];

/**
 * Reads a $filter by the grammar of the README. Throws a QueryOptionError (syntaxError, unknownFunction or
 * expressionTooLarge).
 */
export function parseFilter(text: string): FilterExpression {
  const reader = new TokenReader('$filter', text, 'plain');
  const expression = parseOr(reader, 0);
  reader.expectEnd();
  if (countNodes(expression) > limits.filterNodes) {
    throw expressionTooLarge('$filter', 'nodes', limits.filterNodes);
  }
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
  if (others.length === 0) return first;
  // `(a and b) and c` means `a and b and c`: one node, so that how it was bracketed leaves no trace.
  const operands = [first, ...others].flatMap((operand) =>
    operand.kind === kind ? operand.operands : [operand],
  );
  return Object.freeze({ kind, operands: Object.freeze(operands) });
}

function parseNot(reader: TokenReader, depth: number): FilterExpression {
  if (reader.acceptKeyword(['not']) === undefined) return parsePrimary(reader, depth);
  if (!reader.isApart() && reader.peek().kind !== '(') {
    throw reader.unexpected('white space', "'('");
  }
  return Object.freeze({ kind: 'not', operand: parsePrimary(reader, deeper(depth)) });
}

function parsePrimary(reader: TokenReader, depth: number): FilterExpression {
  if (reader.acceptMark('(') === undefined) return parseCondition(reader, depth);
  const inner = parseOr(reader, deeper(depth));
  reader.expectMark(')');
  return inner;
}

/** comparison | boolean function [ ( "eq" | "ne" ) ( "true" | "false" ) ] */
function parseCondition(reader: TokenReader, depth: number): FilterExpression {
  const callee = peekFunction(reader);
  return callee?.kind === 'test'
    ? parseTruth(reader, parseTextTest(reader, depth, callee.name))
    : parseComparison(reader, depth);
}

function parseTextTest(reader: TokenReader, depth: number, name: TextTestName): TextMatch {
  const { match, isPartFirst } = textTests[name];
  const inside = deeper(depth);
  const { position } = reader.take();
  reader.expectMark('(');
  const first = parseOperand(reader, inside);
  reader.expectMark(',');
  const second = parseOperand(reader, inside);
  reader.expectMark(')');
  const [text, part] = isPartFirst ? [second, first] : [first, second];
  return Object.freeze({ kind: 'textMatch', match, text, part, position });
}

/** What older OData clients write behind a boolean function. */
function parseTruth(reader: TokenReader, condition: FilterExpression): FilterExpression {
  const operator = reader.acceptKeyword(['eq', 'ne']);
  if (operator === undefined) return condition;
  const truth = reader.acceptKeyword(['true', 'false']);
  if (truth === undefined) throw reader.unexpected();
  const asIs = (operator === 'eq') === (truth === 'true');
  return asIs ? condition : Object.freeze({ kind: 'not', operand: condition });
}

/** operand operator operand | operand "in" "(" literal *( "," literal ) ")" */
function parseComparison(reader: TokenReader, depth: number): Comparison | Inclusion {
  const left = parseOperand(reader, depth);
  const { position } = reader.peek();
  const operator = reader.acceptKeyword(operators);
  if (operator !== undefined) {
    const right = parseOperand(reader, depth);
    return Object.freeze({ kind: 'comparison', operator, left, right, position });
  }
  if (reader.acceptKeyword(['in']) === undefined) throw reader.unexpected();
  return Object.freeze({ kind: 'in', operand: left, values: parseList(reader), position });
}

function parseList(reader: TokenReader): readonly Literal[] {
  reader.expectMark('(');
  const values: Literal[] = [];
  do {
    if (values.length >= limits.listValues) {
      throw expressionTooLarge('$filter', 'values', limits.listValues);
    }
    values.push(expectLiteral(reader));
  } while (reader.acceptMark(',') !== undefined);
  reader.expectMark(')');
  return Object.freeze(values);
}

function expectLiteral(reader: TokenReader): Literal {
  const literal = parseLiteral(reader);
  if (literal === undefined) throw reader.unexpected('literal');
  return literal;
}

/** Of the finished tree, in which junctions of one kind have become one node. */
function countNodes(node: FilterExpression | Operand): number {
  return childrenOf(node).reduce((count, child) => count + countNodes(child), 1);
}

/** The nodes directly below a node, in the order of the text (of substringof: text, then part). */
export function childrenOf(node: FilterExpression | Operand): readonly (FilterExpression | Operand)[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands;
    case 'not':
      return [node.operand];
    case 'comparison':
      return [node.left, node.right];
    case 'in':
      return [node.operand, ...node.values];
    case 'textMatch':
      return [node.text, node.part];
    case 'call':
      return [node.argument];
    case 'field':
    case 'literal':
      return [];
  }
}
