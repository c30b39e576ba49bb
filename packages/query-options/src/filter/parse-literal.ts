import { limits } from '../limits.js';
import type { Literal } from './filter-expression.js';
import { syntaxError } from './syntax-error.js';
import type { TokenReader } from './token-reader.js';
import type { Token } from './tokenize.js';

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
    default:
      return parseNamedValue(reader);
  }
}

function parseNamedValue(reader: TokenReader): Literal | undefined {
  const token = reader.peek();
  const value = token.text.toLowerCase();
  if (value === 'null') {
    return literal(reader.take(), 'null', value);
  }
  return value === 'true' || value === 'false' ? literal(reader.take(), 'boolean', value) : undefined;
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
