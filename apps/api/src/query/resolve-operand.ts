import { type Phrase, ServiceError } from '@takt/error-catalogue';
import {
  type ArithmeticOperator,
  type Call,
  excerpt,
  functionOf,
  type Literal,
  limits,
  type Operand,
  type OperandType,
} from '@takt/query-options';
import type { Field, ListResource } from '@takt/resources';
import type { BoundType, BoundValue, Term } from './condition.js';
import { resolveFilterField, type ValueType, valueTypeOf } from './resolve-fields.js';

export interface OperandScope {
  readonly resource: ListResource;
  readonly bind: (value: BoundValue) => number;
}

/** How many digits a number can have before and behind the decimal point. */
interface Digits {
  readonly whole: number;
  readonly fraction: number;
}

/** An operand of which every name is looked up and every type checked. */
export interface ResolvedOperand {
  readonly operand: Operand;
  /** undefined: null, which has every type. */
  readonly type: ValueType | undefined;
  /** Of numbers. */
  readonly digits: Digits;
  /** A field of whole numbers. */
  readonly isWhole: boolean;
  /**
   * To be asked for once: binds values. `as`: what an operand stands for inside of a function or of arithmetic, where
   * a number is a numeric and null has a type; without it, it is compared as it is.
   */
  readonly term: (as?: OperandType) => Term;
}

/** Throws unknownField, ambiguousField, wrongType or expressionTooLarge. */
export function resolveOperand(operand: Operand, scope: OperandScope): ResolvedOperand {
  switch (operand.kind) {
    case 'field': {
      const field = resolveFilterField(scope.resource, operand);
      const isWhole = field.type === 'integer';
      const term = (): Term => ({ kind: 'field', field });
      return { operand, type: valueTypeOf(field), digits: digitsOfField(field), isWhole, term };
    }
    case 'literal':
      return {
        operand,
        type: LITERAL_TYPES[operand.type],
        digits: digitsOfLiteral(operand),
        isWhole: false,
        term: (as) => bindLiteral(operand, as, scope),
      };
    case 'call':
      return resolveCall(operand, scope);
    case 'arithmetic': {
      const { operator } = operand;
      const [left, right] = [resolveNumber(operand.left, scope), resolveNumber(operand.right, scope)];
      const digits = expectFew(DIGITS_AFTER[operator](left.digits, right.digits));
      const term = (): Term => ({
        kind: 'arithmetic',
        operator,
        left: left.term('number'),
        right: right.term('number'),
      });
      return { operand, type: 'number', digits, isWhole: false, term };
    }
    case 'negative': {
      const inner = resolveNumber(operand.operand, scope);
      const term = (): Term => ({ kind: 'negative', term: inner.term('number') });
      return { operand, type: 'number', digits: inner.digits, isWhole: false, term };
    }
  }
}

function resolveCall(call: Call, scope: OperandScope): ResolvedOperand {
  const { takes, gives } = functionOf(call.function);
  const given = call.arguments.map((argument, index) => {
    const as = takes[index] ?? 'text';
    return { as, resolved: resolveAs(argument, as, scope) };
  });
  const term = (): Term => ({
    kind: 'call',
    function: call.function,
    arguments: given.map(({ as, resolved }) => resolved.term(as)),
  });
  const [first] = given;
  // What is rounded may get one digit more; the others count characters, of which no text has so many.
  const whole = takes[0] === 'number' ? (first?.resolved.digits.whole ?? 0) + 1 : COUNT_DIGITS;
  return { operand: call, type: gives, digits: expectFew({ whole, fraction: 0 }), isWhole: false, term };
}

/** An operand that has to be a text. */
export const resolveTextOperand = (operand: Operand, scope: OperandScope): ResolvedOperand =>
  resolveAs(operand, 'text', scope);

const resolveNumber = (operand: Operand, scope: OperandScope): ResolvedOperand =>
  resolveAs(operand, 'number', scope);

function resolveAs(operand: Operand, type: OperandType, scope: OperandScope): ResolvedOperand {
  const resolved = resolveOperand(operand, scope);
  expectType(resolved, type);
  return resolved;
}

const COUNT_DIGITS = 10;

/** Decimals of a quotient; what comes behind them is cut off. Twice as many as any field has, and some more. */
export const QUOTIENT_DECIMALS = 20;

const WITHOUT_DIGITS: Digits = { whole: 0, fraction: 0 };

const BIGINT_DIGITS = 19;
/** Of a stored decimal that is never negative. */
const UNSIGNED_DIGITS = 13;

/** As the columns have them, which are bigint. */
function digitsOfField({ stored }: Field): Digits {
  if (stored === undefined) return { whole: BIGINT_DIGITS, fraction: 0 };
  const digits = stored.isSigned ? BIGINT_DIGITS : UNSIGNED_DIGITS;
  return { whole: digits - stored.decimals, fraction: stored.decimals };
}

function digitsOfLiteral({ type, value }: Literal): Digits {
  if (type !== 'integer' && type !== 'decimal') return WITHOUT_DIGITS;
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  return { whole: whole.length, fraction: fraction.length };
}

const sum = (left: Digits, right: Digits): Digits => ({
  whole: Math.max(left.whole, right.whole) + 1,
  fraction: Math.max(left.fraction, right.fraction),
});

/** What an operation can give at most: so nothing overflows, and a result has all its digits. */
const DIGITS_AFTER: Readonly<Record<ArithmeticOperator, (left: Digits, right: Digits) => Digits>> = {
  add: sum,
  sub: sum,
  mul: (left, right) => ({ whole: left.whole + right.whole, fraction: left.fraction + right.fraction }),
  // The smallest divisor that is not zero is one unit of its last decimal.
  div: (left, right) => ({ whole: left.whole + right.fraction, fraction: QUOTIENT_DECIMALS }),
  mod: (left, right) => ({
    whole: Math.min(left.whole, right.whole),
    fraction: Math.max(left.fraction, right.fraction),
  }),
};

function expectFew(digits: Digits): Digits {
  if (Math.max(digits.whole, digits.fraction) <= limits.resultDigits) return digits;
  throw new ServiceError('expressionTooLarge', {
    parameter: '$filter',
    measure: [{ phrase: 'digits in the result of arithmetic' }],
    limit: String(limits.resultDigits),
  });
}

const LITERAL_TYPES: Readonly<Record<Literal['type'], ValueType | undefined>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  null: undefined,
};

function bindLiteral({ type, value }: Literal, as: OperandType | undefined, { bind }: OperandScope): Term {
  switch (type) {
    case 'null':
      return { kind: 'missing', type: as === 'number' ? 'numeric' : 'text' };
    case 'text':
    case 'boolean':
      return { kind: 'value', type, value: bind(value) };
    case 'integer':
    case 'decimal':
      return { kind: 'value', type: as === 'number' ? 'numeric' : bindTypeOf(value), value: bind(value) };
  }
}

/** An integer of at most 18 digits fits a bigint, which an index of whole numbers can be searched for. */
export function bindTypeOf(number: string): Extract<BoundType, 'bigint' | 'numeric'> {
  return /^-?\d{1,18}$/.test(number) ? 'bigint' : 'numeric';
}

export function expectType({ operand, type }: ResolvedOperand, expected: ValueType | undefined): void {
  if (type !== undefined && expected !== undefined && type !== expected) throw wrongType(operand, [expected]);
}

export function wrongType(operand: Operand, expected: readonly (Phrase & ValueType)[]): ServiceError {
  return new ServiceError('wrongType', {
    parameter: '$filter',
    position: String(operand.position),
    found: excerpt(writtenAs(operand)),
    expected: expected.map((phrase) => ({ phrase })),
  });
}

function writtenAs(operand: Operand): string {
  switch (operand.kind) {
    case 'field':
      return operand.name;
    case 'literal':
      return operand.source;
    case 'call':
      return `${operand.function}(...)`;
    case 'arithmetic':
      return operand.operator;
    case 'negative':
      return '-';
  }
}
