import { phrase } from './error-words.js';
import type { Literal } from './filter-expression.js';
import { limits } from './limits.js';
import { syntaxError, type Token, type TokenReader } from './tokens.js';

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
 * The digits without exponent; undefined where they are more than the limit, zeros that only fill up included. Asked
 * before they are made: a short text can stand for a number of any size.
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

/** One text for one number: no zeros that say nothing, and no minus before zero. */
function canonicalNumber(sign: string, { whole, fraction }: Digits): string {
  const significantFraction = fraction.replace(/0+$/, '');
  const significantWhole = whole.replace(/^0+(?=[0-9])/, '');
  const digits = significantFraction === '' ? significantWhole : `${significantWhole}.${significantFraction}`;
  return digits === '0' ? digits : sign + digits;
}

function literal({ text, position }: Token, type: Literal['type'], value: string): Literal {
  return Object.freeze({ kind: 'literal', type, value, position, source: text });
}
