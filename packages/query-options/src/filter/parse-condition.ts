import type { Comparison, FilterExpression, Inclusion, Literal, TextMatch } from './filter-expression.js';
import type { FilterFunction } from './filter-functions.js';
import { checkRoomForValue, deeper } from './filter-limits.js';
import { parseLiteral } from './parse-literal.js';
import { parseOperand, peekFunction } from './parse-operand.js';
import type { TokenReader } from './token-reader.js';

const operators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const;

/** comparison | boolean function [ ( "eq" | "ne" ) ( "true" | "false" ) ] */
export function parseCondition(reader: TokenReader, depth: number): FilterExpression {
  const callee = peekFunction(reader);
  return callee?.kind === 'textMatch'
    ? parseTruth(reader, parseTextMatch(reader, depth, callee))
    : parseComparison(reader, depth);
}

function parseTextMatch(
  reader: TokenReader,
  depth: number,
  { match, partFirst }: Extract<FilterFunction, { kind: 'textMatch' }>,
): TextMatch {
  const inside = deeper(depth);
  const { position } = reader.take();
  reader.expectMark('(');
  const first = parseOperand(reader, inside);
  reader.expectMark(',');
  const second = parseOperand(reader, inside);
  reader.expectMark(')');
  const [text, part] = partFirst ? [second, first] : [first, second];
  return Object.freeze({ kind: 'textMatch', match, text, part, position });
}

/** What older OData clients write behind a boolean function. */
function parseTruth(reader: TokenReader, condition: FilterExpression): FilterExpression {
  const operator = reader.acceptKeyword(['eq', 'ne']);
  if (operator === undefined) {
    return condition;
  }
  const truth = reader.acceptKeyword(['true', 'false']);
  if (truth === undefined) {
    throw reader.unexpected();
  }
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
  if (reader.acceptKeyword(['in']) === undefined) {
    throw reader.unexpected();
  }
  return Object.freeze({ kind: 'in', operand: left, values: parseList(reader), position });
}

function parseList(reader: TokenReader): readonly Literal[] {
  reader.expectMark('(');
  const values: Literal[] = [];
  do {
    checkRoomForValue(values.length);
    values.push(expectLiteral(reader));
  } while (reader.acceptMark(',') !== undefined);
  reader.expectMark(')');
  return Object.freeze(values);
}

function expectLiteral(reader: TokenReader): Literal {
  const literal = parseLiteral(reader);
  if (literal === undefined) {
    throw reader.unexpected('literal');
  }
  return literal;
}
