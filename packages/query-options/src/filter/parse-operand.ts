import { excerpt } from '../characters.js';
import { QueryOptionError } from '../query-option-error.js';
import type { Field, Operand } from './filter-expression.js';
import { type FilterFunction, findFilterFunction, knownFunctions } from './filter-functions.js';
import { deeper } from './filter-limits.js';
import { parseLiteral } from './parse-literal.js';
import type { TokenReader } from './token-reader.js';

/** Words of the grammar: no field has such a name. */
const reserved: ReadonlySet<string> = new Set(
  ['and', 'or', 'not', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'].concat(['true', 'false', 'null']),
);

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
  const callee = findFilterFunction(text);
  if (callee === undefined) {
    const { parameter } = reader;
    const where = { parameter, position: String(position), found: excerpt(text) };
    throw new QueryOptionError('unknownFunction', { ...where, known: knownFunctions });
  }
  return callee;
}

function parseCall(reader: TokenReader, depth: number, callee: FilterFunction): Operand {
  if (callee.kind !== 'call') {
    throw reader.unexpected('field', 'literal', 'string function');
  }
  const { position } = reader.take();
  reader.expectMark('(');
  const argument = parseOperand(reader, deeper(depth));
  reader.expectMark(')');
  return Object.freeze({ kind: 'call', function: callee.function, argument, position });
}

function parseField(reader: TokenReader): Field | undefined {
  const { kind, text, position } = reader.peek();
  if (kind !== 'word' || isReserved(text)) {
    return undefined;
  }
  reader.take();
  return Object.freeze({ kind: 'field', name: text, position });
}

function isReserved(word: string): boolean {
  return reserved.has(word.toLowerCase());
}
