import { excerpt } from './characters.js';
import {
  type ArithmeticOperator,
  arithmeticOperators,
  comparisonOperators,
  type Field,
  functionOf,
  type Literal,
  type Operand,
  type TextTestName,
  textTests,
  type ValueFunctionName,
  valueFunctions,
} from './filter-expression.js';
import { limits } from './limits.js';
import { phrase, QueryOptionError } from './query-option-error.js';
import { expressionTooLarge, syntaxError, type Token, type TokenReader } from './tokens.js';

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

/** The words that the grammar uses. They cannot be names of fields. */
const reserved: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'in',
  'true',
  'false',
  'null',
  ...namesOf(comparisonOperators),
  ...namesOf(arithmeticOperators),
]);

const tight = namesOf(arithmeticOperators).filter((name) => arithmeticOperators[name].bindsTighter);
const loose = namesOf(arithmeticOperators).filter((name) => !arithmeticOperators[name].bindsTighter);

type FilterFunction =
  | { readonly kind: 'test'; readonly name: TextTestName }
  | { readonly kind: 'value'; readonly name: ValueFunctionName };

/**
 * The functions by their names in lower case. This is a Map, because clients choose the names that are looked up, and a
 * plain object would seem to contain `constructor`.
 */
const functions: ReadonlyMap<string, FilterFunction> = new Map<string, FilterFunction>([
  ...namesOf(textTests).map((name) => [name, { kind: 'test', name }] as const),
  ...namesOf(valueFunctions).map((name) => [name, { kind: 'value', name }] as const),
]);

/** Parses: operand = term *( ( "add" | "sub" ) term ) */
export function parseOperand(reader: TokenReader, depth: number): Operand {
  return finishOperand(reader, depth, parseFactor(reader, depth));
}

/** Parses the rest of an operand. Its first factor has already been parsed. */
export function finishOperand(reader: TokenReader, depth: number, first: Operand): Operand {
  const nextTerm = () => parseChain(reader, tight, parseFactor(reader, depth), nextFactor);
  const nextFactor = () => parseFactor(reader, depth);
  const operand = parseChain(reader, loose, parseChain(reader, tight, first, nextFactor), nextTerm);
  if (countOperations(operand) > limits.operations) {
    throw expressionTooLarge('$filter', 'arithmetic operations in an operand', limits.operations);
  }
  return operand;
}

/**
 * Parses operations of the same precedence, from left to right. It uses a loop instead of recursion, so that the stack
 * stays shallow.
 */
function parseChain(
  reader: TokenReader,
  operators: readonly ArithmeticOperator[],
  first: Operand,
  parseNext: () => Operand,
): Operand {
  let left = first;
  for (;;) {
    const { position } = reader.peek();
    const operator = reader.acceptKeyword(operators);
    if (operator === undefined) return left;
    left = Object.freeze({ kind: 'arithmetic', operator, left, right: parseNext(), position });
  }
}

/**
 * Counts the operations in the whole tree. It uses a list instead of recursion, because the tree may be deeper than the
 * stack allows.
 */
function countOperations(operand: Operand): number {
  const open = [operand];
  let count = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'arithmetic') count += 1;
    open.push(...operandsIn(node));
  }
  return count;
}

function operandsIn(operand: Operand): readonly Operand[] {
  switch (operand.kind) {
    case 'arithmetic':
      return [operand.left, operand.right];
    case 'negative':
      return [operand.operand];
    case 'call':
      return operand.arguments;
    case 'field':
    case 'literal':
      return [];
  }
}

/** Parses: factor = [ "-" ] ( field | literal | function | "(" operand ")" ) */
function parseFactor(reader: TokenReader, depth: number): Operand {
  const minus = reader.acceptMark('-');
  const operand = parseUnsigned(reader, depth);
  if (minus === undefined) return operand;
  return Object.freeze({ kind: 'negative', operand, position: minus.position });
}

function parseUnsigned(reader: TokenReader, depth: number): Operand {
  if (reader.acceptMark('(') !== undefined) {
    const inner = parseOperand(reader, deeper(depth));
    reader.expectMark(')');
    return inner;
  }
  const callee = peekFunction(reader);
  if (callee !== undefined) {
    return parseCall(reader, depth, callee);
  }
  const operand = parseLiteral(reader) ?? parseField(reader);
  if (operand === undefined) {
    throw reader.unexpected(phrase('field'), phrase('literal'), phrase('function'));
  }
  return operand;
}

/**
 * The function that is called at the current token; undefined if the token does not start a call. Throws
 * unknownFunction if the function does not exist.
 */
export function peekFunction(reader: TokenReader): FilterFunction | undefined {
  const { kind, text, position } = reader.peek();
  if (kind !== 'word' || reader.peek(1).kind !== '(' || isReserved(text)) {
    return undefined;
  }
  const callee = functions.get(text.toLowerCase());
  if (callee === undefined) {
    const { parameter } = reader;
    const where = { parameter, position: String(position), found: excerpt(text) };
    throw new QueryOptionError('unknownFunction', { ...where, known: [...functions.keys()].join(', ') });
  }
  return callee;
}

/**
 * Returns the next depth. Throws if it is above the limit. Every descent of the parser calls this function first, so
 * that no text can exhaust the stack.
 */
export function deeper(depth: number): number {
  if (depth >= limits.filterDepth) {
    throw expressionTooLarge('$filter', 'levels of parentheses, not and functions', limits.filterDepth);
  }
  return depth + 1;
}

function parseCall(reader: TokenReader, depth: number, callee: FilterFunction): Operand {
  if (callee.kind !== 'value') {
    throw reader.unexpected(phrase('field'), phrase('literal'), phrase('function that gives a value'));
  }
  const { position } = reader.take();
  const inside = deeper(depth);
  const { takes, needs = takes.length } = functionOf(callee.name);
  reader.expectMark('(');
  const given = [parseOperand(reader, inside)];
  while (given.length < takes.length && isNextGiven(reader, given.length < needs)) {
    given.push(parseOperand(reader, inside));
  }
  reader.expectMark(')');
  return Object.freeze({ kind: 'call', function: callee.name, arguments: Object.freeze(given), position });
}

function isNextGiven(reader: TokenReader, isNeeded: boolean): boolean {
  if (isNeeded) reader.expectMark(',');
  return isNeeded || reader.acceptMark(',') !== undefined;
}

function parseField(reader: TokenReader): Field | undefined {
  const { kind, text, position } = reader.peek();
  if (kind !== 'word' || isReserved(text)) return undefined;
  reader.take();
  return Object.freeze({ kind: 'field', name: text, position });
}

function isReserved(word: string): boolean {
  return reserved.has(word.toLowerCase());
}

/** Parses a literal: text | integer | decimal | true | false | null. Returns undefined if there is no literal. */
export function parseLiteral(reader: TokenReader): Literal | undefined {
  const token = reader.peek();
  switch (token.kind) {
    case 'text':
      return literal(reader.take(), 'text', token.text.slice(1, -1).replaceAll("''", "'"));
    case 'number':
      return parseNumber(reader);
    case 'openText':
      reader.take();
      throw reader.unexpected(phrase('closing quote'));
    default: {
      const value = token.text.toLowerCase();
      if (value === 'null') {
        return literal(reader.take(), 'null', value);
      }
      return value === 'true' || value === 'false' ? literal(reader.take(), 'boolean', value) : undefined;
    }
  }
}

const NUMBER =
  /^(?<sign>-?)(?<whole>[0-9]+)(?:\.(?<fraction>[0-9]+))?(?:[eE](?<exponent>[+-]?[0-9]+))?(?<suffix>[mMdDfFlL]?)$/;

function parseNumber(reader: TokenReader): Literal {
  const token = reader.peek();
  const groups = NUMBER.exec(token.text)?.groups;
  if (groups === undefined) {
    throw syntaxError(reader.parameter, token, [phrase('number')]);
  }
  const { sign = '', whole = '', fraction = '', exponent, suffix = '' } = groups;
  const digits = writtenOut(whole, fraction, Number(exponent ?? 0));
  if (digits === undefined) {
    throw syntaxError(reader.parameter, token, [phrase('number of at most {0} digits', limits.numberDigits)]);
  }
  const isInteger = fraction === '' && exponent === undefined && /^[lL]?$/.test(suffix);
  return literal(reader.take(), isInteger ? 'integer' : 'decimal', canonicalNumber(sign, digits));
}

interface Digits {
  readonly whole: string;
  readonly fraction: string;
}

/**
 * Writes a number as digits without an exponent. Returns undefined if there would be more digits than the limit,
 * including zeros for padding. The number of digits is checked before the digits are made, because a short text can
 * stand for a number of any length.
 */
function writtenOut(whole: string, fraction: string, exponent: number): Digits | undefined {
  const shift = whole.length + exponent;
  const length = Math.max(shift, 1) + Math.max(fraction.length - exponent, 0);
  if (!(length <= limits.numberDigits) || whole.length + fraction.length > limits.numberDigits) {
    return undefined;
  }
  const digits = whole + fraction;
  if (shift <= 0) return { whole: '0', fraction: '0'.repeat(-shift) + digits };
  return { whole: digits.slice(0, shift).padEnd(shift, '0'), fraction: digits.slice(shift) };
}

/**
 * Writes a number without needless zeros, and without a minus sign before zero. So equal numbers have the same text.
 */
function canonicalNumber(sign: string, { whole, fraction }: Digits): string {
  const significantFraction = fraction.replace(/0+$/, '');
  const significantWhole = whole.replace(/^0+(?=[0-9])/, '');
  const digits = significantFraction === '' ? significantWhole : `${significantWhole}.${significantFraction}`;
  return digits === '0' ? digits : sign + digits;
}

function literal({ text, position }: Token, type: Literal['type'], value: string): Literal {
  return Object.freeze({ kind: 'literal', type, value, position, source: text });
}
