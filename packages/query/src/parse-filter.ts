import {
  type ComparisonOperator,
  comparisonOperators,
  type FilterExpression,
  type Junction,
  type Literal,
  type Operand,
  type TextMatch,
  type TextTestName,
  textTests,
} from './filter-expression.js';
import { limits } from './limits.js';
import { deeper, finishOperand, parseLiteral, parseOperand, peekFunction } from './parse-operand.js';
import { phrase, quote } from './query-option-error.js';
import { expressionTooLarge, TokenReader } from './tokens.js';

const operators = Object.keys(comparisonOperators) as ComparisonOperator[];

/**
 * Parses a $filter. The README contains the grammar. Throws a QueryOptionError (syntaxError, unknownFunction or
 * expressionTooLarge).
 */
export function parseFilter(text: string): FilterExpression {
  const reader = new TokenReader('$filter', text, 'path');
  const filter = { reader, comparisons: 0 };
  const expression = expectCondition(filter, parseOr(filter, 0, false));
  reader.expectEnd();
  return expression;
}

interface WrittenCondition {
  readonly text: string;
  readonly expression: FilterExpression;
  /** True if the condition contains an `or` that is not inside parentheses. */
  readonly joinsByOr: boolean;
}

/**
 * Splits a filter into the conditions that it joins by `and`. If the filter has an `or` at its top level, it is a
 * single condition. Throws the same errors as parseFilter.
 */
export function parseConditions(text: string): readonly WrittenCondition[] {
  const reader = new TokenReader('$filter', text, 'path');
  const filter = { reader, comparisons: 0 };
  const conditions: WrittenCondition[] = [];
  do {
    const start = reader.peek().offset;
    const expression = expectCondition(filter, parseNot(filter, 0, false));
    conditions.push({ text: text.slice(start, reader.readUpTo()), expression, joinsByOr: false });
  } while (reader.acceptKeyword(['and']) !== undefined);
  if (reader.peek().kind === 'end') return conditions;
  return [{ text: text.trim(), expression: parseFilter(text), joinsByOr: true }];
}

interface FilterReader {
  readonly reader: TokenReader;
  comparisons: number;
}

/**
 * The content of parentheses. It may be a condition, or an operand as in `(RunTime) gt 1`; this is known only from the
 * text after the closing parenthesis. If the parameter `mayBeOperand` is true and an operand is followed by a closing
 * parenthesis, the operand is returned.
 */
type ConditionOrOperand = FilterExpression | Operand;

function isOperand(node: ConditionOrOperand): node is Operand {
  return ['field', 'literal', 'call', 'arithmetic', 'negative'].includes(node.kind);
}

function expectCondition({ reader }: FilterReader, node: ConditionOrOperand): FilterExpression {
  if (isOperand(node)) throw reader.unexpected();
  return node;
}

function parseOr(filter: FilterReader, depth: number, mayBeOperand: boolean): ConditionOrOperand {
  return parseJunction(filter, 'or', mayBeOperand, (isFirst) => parseAnd(filter, depth, isFirst));
}

function parseAnd(filter: FilterReader, depth: number, mayBeOperand: boolean): ConditionOrOperand {
  return parseJunction(filter, 'and', mayBeOperand, (isFirst) => parseNot(filter, depth, isFirst));
}

/**
 * Parses conditions joined by `and` or by `or`. Only the first part can be an operand, and only if no other part
 * follows.
 */
function parseJunction(
  filter: FilterReader,
  kind: Junction['kind'],
  mayBeOperand: boolean,
  parseNext: (mayBeOperand: boolean) => ConditionOrOperand,
): ConditionOrOperand {
  const first = parseNext(mayBeOperand);
  if (isOperand(first)) return first;
  const others: FilterExpression[] = [];
  while (filter.reader.acceptKeyword([kind]) !== undefined) {
    others.push(expectCondition(filter, parseNext(false)));
  }
  if (others.length === 0) return first;
  // `(a and b) and c` has the same meaning as `a and b and c`, so both become a single node.
  const operands = [first, ...others].flatMap((operand) =>
    operand.kind === kind ? operand.operands : [operand],
  );
  return Object.freeze({ kind, operands: Object.freeze(operands) });
}

function parseNot(filter: FilterReader, depth: number, mayBeOperand: boolean): ConditionOrOperand {
  const { reader } = filter;
  if (reader.acceptKeyword(['not']) === undefined) return parsePrimary(filter, depth, mayBeOperand);
  if (!reader.isApart() && reader.peek().kind !== '(') {
    throw reader.unexpected(phrase('white space'), quote('('));
  }
  const operand = expectCondition(filter, parsePrimary(filter, deeper(depth), false));
  return Object.freeze({ kind: 'not', operand });
}

function parsePrimary(filter: FilterReader, depth: number, mayBeOperand: boolean): ConditionOrOperand {
  const { reader } = filter;
  if (reader.acceptMark('(') !== undefined) {
    const inner = parseOr(filter, deeper(depth), true);
    reader.expectMark(')');
    if (!isOperand(inner)) return inner;
    return parseComparison(filter, depth, finishOperand(reader, depth, inner), mayBeOperand);
  }
  const callee = peekFunction(reader);
  if (callee?.kind === 'test') return parseTruth(reader, parseTextTest(filter, depth, callee.name));
  return parseComparison(filter, depth, parseOperand(reader, depth), mayBeOperand);
}

function parseTextTest(filter: FilterReader, depth: number, name: TextTestName): TextMatch {
  const { reader } = filter;
  const { match, isPartFirst } = textTests[name];
  const inside = deeper(depth);
  countComparison(filter);
  const { position } = reader.take();
  reader.expectMark('(');
  const first = parseOperand(reader, inside);
  reader.expectMark(',');
  const second = parseOperand(reader, inside);
  reader.expectMark(')');
  const [text, part] = isPartFirst ? [second, first] : [first, second];
  return Object.freeze({ kind: 'textMatch', match, text, part, position });
}

/** Accepts `eq true` after a boolean function, and also `ne` and `false`. Older OData clients write this. */
function parseTruth(reader: TokenReader, condition: FilterExpression): FilterExpression {
  const operator = reader.acceptKeyword(['eq', 'ne']);
  if (operator === undefined) return condition;
  const truth = reader.acceptKeyword(['true', 'false']);
  if (truth === undefined) throw reader.unexpected();
  const asIs = (operator === 'eq') === (truth === 'true');
  return asIs ? condition : Object.freeze({ kind: 'not', operand: condition });
}

/** operand operator operand | operand "in" "(" literal *( "," literal ) ")" | "true" | "false" */
function parseComparison(
  filter: FilterReader,
  depth: number,
  left: Operand,
  mayBeOperand: boolean,
): ConditionOrOperand {
  const { reader } = filter;
  const { position } = reader.peek();
  const operator = reader.acceptKeyword(operators);
  if (operator !== undefined) {
    countComparison(filter);
    const right = parseOperand(reader, depth);
    return Object.freeze({ kind: 'comparison', operator, left, right, position });
  }
  if (reader.acceptKeyword(['in']) !== undefined) {
    countComparison(filter);
    return Object.freeze({ kind: 'in', operand: left, values: parseList(reader), position });
  }
  if (mayBeOperand && reader.peek().kind === ')') return left;
  if (left.kind === 'literal' && left.type === 'boolean') {
    return Object.freeze({ kind: 'constant', holds: left.value === 'true', position: left.position });
  }
  throw reader.unexpected(...(mayBeOperand ? [quote(')')] : []));
}

function countComparison(filter: FilterReader): void {
  filter.comparisons += 1;
  if (filter.comparisons > limits.comparisons) {
    throw expressionTooLarge('$filter', 'comparisons', limits.comparisons);
  }
}

function parseList(reader: TokenReader): readonly Literal[] {
  reader.expectMark('(');
  const values: Literal[] = [];
  do {
    if (values.length >= limits.listValues) {
      throw expressionTooLarge('$filter', 'values in a list', limits.listValues);
    }
    values.push(expectLiteral(reader));
  } while (reader.acceptMark(',') !== undefined);
  reader.expectMark(')');
  return Object.freeze(values);
}

function expectLiteral(reader: TokenReader): Literal {
  const literal = parseLiteral(reader);
  if (literal === undefined) throw reader.unexpected(phrase('literal'));
  return literal;
}
