import { excerpt } from './characters.js';
import {
  comparisonOperators,
  type Field,
  type Literal,
  type Operand,
  type TextFunctionName,
  type TextTestName,
  textFunctions,
  textTests,
} from './filter-expression.js';
import { limits } from './limits.js';
import { QueryOptionError } from './query-option-error.js';
import { expressionTooLarge, syntaxError, type Token, type TokenReader } from './tokens.js';

/** Words of the grammar: no field has such a name. */
const reserved: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'in', 'true', 'false', 'null'],
  ...Object.keys(comparisonOperators),
]);

/** A function as it is called: a test of a text for a part of it, or a value made from one operand. */
export type FilterFunction =
  | { readonly kind: 'test'; readonly name: TextTestName }
  | { readonly kind: 'value'; readonly name: TextFunctionName };

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

/** By lower-case name. A Map, because names come from clients and an object knows `constructor`. */
const functions: ReadonlyMap<string, FilterFunction> = new Map<string, FilterFunction>([
  ...namesOf(textTests).map((name) => [name, { kind: 'test', name }] as const),
  ...namesOf(textFunctions).map((name) => [name, { kind: 'value', name }] as const),
]);

/** operand = field | literal | string function. */
export function parseOperand(reader: TokenReader, depth: number): Operand {
  const callee = peekFunction(reader);
  if (callee !== undefined) {
    return parseCall(reader, depth, callee);
  }
  const operand = parseLiteral(reader) ?? parseField(reader);
  if (operand === undefined) {
    throw reader.unexpected('field', 'literal', 'function');
  }
  return operand;
}

/** The function whose call stands here; an unknownFunction is thrown if it does not exist. */
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

/** One level further in. Asked before every descent, so that no text can exhaust the stack. */
export function deeper(depth: number): number {
  if (depth >= limits.filterDepth) {
    throw expressionTooLarge('$filter', 'depth', limits.filterDepth);
  }
  return depth + 1;
}

function parseCall(reader: TokenReader, depth: number, callee: FilterFunction): Operand {
  if (callee.kind !== 'value') {
    throw reader.unexpected('field', 'literal', 'string function');
  }
  const { position } = reader.take();
  reader.expectMark('(');
  const argument = parseOperand(reader, deeper(depth));
  reader.expectMark(')');
  return Object.freeze({ kind: 'call', function: callee.name, argument, position });
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

/** Without exponent, which would make a short text a number of any size. */
const NUMBER = /^(?<sign>-?)(?<whole>[0-9]+)(?:\.(?<fraction>[0-9]+))?(?<suffix>[mMdDfFlL]?)$/;

/** literal = text | integer | decimal | true | false | null; undefined if none stands here. */
export function parseLiteral(reader: TokenReader): Literal | undefined {
  const token = reader.peek();
  switch (token.kind) {
    case 'text':
      return literal(reader.take(), 'text', token.text.slice(1, -1).replaceAll("''", "'"));
    case 'number':
      return parseNumber(reader);
    case 'openText':
      reader.take();
      throw reader.unexpected('closing quote');
    default: {
      const value = token.text.toLowerCase();
      if (value === 'null') {
        return literal(reader.take(), 'null', value);
      }
      return value === 'true' || value === 'false' ? literal(reader.take(), 'boolean', value) : undefined;
    }
  }
}

function parseNumber(reader: TokenReader): Literal {
  const token = reader.peek();
  const groups = NUMBER.exec(token.text)?.groups;
  if (groups === undefined) {
    throw syntaxError(reader.parameter, token, ['number']);
  }
  const { sign = '', whole = '', fraction = '', suffix = '' } = groups;
  if (whole.length + fraction.length > limits.numberDigits) {
    throw syntaxError(reader.parameter, token, [`number of at most ${limits.numberDigits} digits`]);
  }
  const isInteger = fraction === '' && /^[lL]?$/.test(suffix);
  return literal(reader.take(), isInteger ? 'integer' : 'decimal', canonicalNumber(sign, whole, fraction));
}

/** One text for one number: no zeros that say nothing, and no minus before zero. */
function canonicalNumber(sign: string, whole: string, fraction: string): string {
  const significantFraction = fraction.replace(/0+$/, '');
  const significantWhole = whole.replace(/^0+(?=[0-9])/, '');
  const digits = significantFraction === '' ? significantWhole : `${significantWhole}.${significantFraction}`;
  return digits === '0' ? digits : sign + digits;
}

function literal({ text, position }: Token, type: Literal['type'], value: string): Literal {
  return Object.freeze({ kind: 'literal', type, value, position, source: text });
}
