import { type Phrase, ServiceError } from '@takt/catalogue/errors';
import type { Field, ListResource } from '@takt/catalogue/resources';
import {
  type ArithmeticOperator,
  type Call,
  type Comparison,
  type ComparisonOperator,
  comparisonOperators,
  excerpt,
  type FilterExpression,
  functionOf,
  type Inclusion,
  type Literal,
  limits,
  type Operand,
  type OperandType,
  type TextMatch,
} from '@takt/query';
import {
  type BoundType,
  type BoundValue,
  type Condition,
  MIRRORED,
  type ResolvedFilter,
  type Term,
} from './condition.js';
import { compareInstant, readWrittenInstant } from './instants.js';
import { optimiseFilter } from './optimise-filter.js';
import { resolveFilterField, type ValueType, valueTypeOf } from './resolve-fields.js';

/**
 * Resolves the names in a filter and checks its types. If a value is missing, a comparison is false, except `eq null`
 * and `ne null`. `not` makes such a comparison true, because the logic of filters has only the values true and false.
 * Throws unknownField, ambiguousField, wrongType or expressionTooLarge.
 */
export function resolveFilter(resource: ListResource, expression: FilterExpression): ResolvedFilter {
  return optimiseFilter(resolveAsWritten(resource, expression));
}

/** Resolves a filter without optimising it for indexes. */
export function resolveAsWritten(resource: ListResource, expression: FilterExpression): ResolvedFilter {
  const values: BoundValue[] = [];
  const bind = (value: BoundValue) => values.push(value) - 1;
  return { condition: resolveCondition(expression, { resource, bind }), values };
}

function resolveCondition(expression: FilterExpression, scope: OperandScope): Condition {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return {
        kind: expression.kind,
        conditions: expression.operands.map((operand) => resolveCondition(operand, scope)),
      };
    case 'not':
      return { kind: 'not', condition: resolveCondition(expression.operand, scope) };
    case 'constant':
      return { kind: 'constant', holds: expression.holds };
    case 'comparison':
      return resolveComparison(expression, scope);
    case 'in':
      return resolveInclusion(expression, scope);
    case 'textMatch':
      return resolveTextMatch(expression, scope);
  }
}

function resolveComparison(comparison: Comparison, scope: OperandScope): Condition {
  const { operator } = comparison;
  const { comparesOrder } = comparisonOperators[operator];
  const [left, right] = [resolveOperand(comparison.left, scope), resolveOperand(comparison.right, scope)];
  if (left.type === undefined || right.type === undefined) {
    if (comparesOrder) return { kind: 'constant', holds: false };
    const tested = left.type === undefined ? right : left;
    return { kind: 'absent', term: tested.term('text'), isNegated: operator === 'ne' };
  }
  const instant = resolveInstant(left, right, operator) ?? resolveInstant(right, left, MIRRORED[operator]);
  if (instant !== undefined) return instant(scope);
  // The type of the field determines the type of the literal. So a wrong type is reported for the literal, whichever
  // side of the comparison it is on.
  if (left.operand.kind === 'literal') {
    expectType(left, right.type);
  } else {
    expectType(right, left.type);
  }
  if (left.type === 'boolean' && comparesOrder) throw wrongType(left.operand, ['number', 'text']);
  const sides = { left: left.term(), right: right.term() };
  return { kind: 'comparison', operator, type: left.type, ...sides, orMissing: false };
}

/**
 * Returns a function that makes the comparison of an instant with a text of the filter. Returns undefined for other
 * operands. Throws wrongType if the text is not an instant.
 */
function resolveInstant(
  { type, term }: ResolvedOperand,
  { operand: written }: ResolvedOperand,
  operator: ComparisonOperator,
): ((scope: OperandScope) => Condition) | undefined {
  if (type !== 'instant' || written.kind !== 'literal' || written.type !== 'text') return undefined;
  const instant = readWrittenInstant(written.value);
  if (instant === undefined) throw wrongType(written, ['instant']);
  return ({ bind }) => compareInstant(term(), operator, instant, bind);
}

/** Resolves `in`. A `null` in the list matches missing values, as `eq null` does. */
function resolveInclusion(inclusion: Inclusion, scope: OperandScope): Condition {
  const tested = resolveOperand(inclusion.operand, scope);
  if (tested.type === 'instant') return resolveInstants(tested, inclusion, scope);
  for (const value of inclusion.values) expectType(resolveOperand(value, scope), tested.type);
  const present = inclusion.values.filter(({ type }) => type !== 'null').map(({ value }) => value);
  const term = tested.term('text');
  const absent: Condition = { kind: 'absent', term, isNegated: false };
  if (present.length === 0) return absent;
  if (tested.type === undefined) return present.length < inclusion.values.length ? absent : NEVER;
  const type = tested.type === 'number' ? numbersAs(tested.isWhole, present) : tested.type;
  const listed: Condition = { kind: 'in', type, term, values: scope.bind(present) };
  return present.length < inclusion.values.length ? { kind: 'or', conditions: [listed, absent] } : listed;
}

function resolveInstants(tested: ResolvedOperand, { values }: Inclusion, scope: OperandScope): Condition {
  const conditions = values.map((value) => {
    const written = resolveOperand(value, scope);
    if (written.type === undefined) {
      return { kind: 'absent', term: tested.term(), isNegated: false } as const;
    }
    const compared = resolveInstant(tested, written, 'eq');
    if (compared === undefined) throw wrongType(value, ['instant']);
    return compared(scope);
  });
  return { kind: 'or', conditions };
}

const NEVER: Condition = { kind: 'constant', holds: false };

/**
 * The type in which the numbers of a list are bound. It is bigint if possible, so that a field of whole numbers can use
 * its index.
 */
function numbersAs(isWhole: boolean, values: readonly string[]): BoundType {
  return isWhole && values.every((value) => bindTypeOf(value) === 'bigint') ? 'bigint' : 'numeric';
}

function resolveTextMatch({ match, text, part }: TextMatch, scope: OperandScope): Condition {
  const [whole, sought] = [resolveTextOperand(text, scope), resolveTextOperand(part, scope)];
  return {
    kind: 'textMatch',
    match,
    isInRange: false,
    text: whole.term('text'),
    part: sought.term('text'),
  };
}

interface OperandScope {
  readonly resource: ListResource;
  readonly bind: (value: BoundValue) => number;
}

/** The maximum number of digits that a number has before and after the decimal point. */
interface Digits {
  readonly whole: number;
  readonly fraction: number;
}

/** An operand with resolved names and checked types. */
interface ResolvedOperand {
  readonly operand: Operand;
  /** The type of the operand; undefined if the operand is null, which fits any type. */
  readonly type: ValueType | undefined;
  readonly digits: Digits;
  /** True for a field of whole numbers. */
  readonly isWhole: boolean;
  /**
   * Makes the term for the operand. Call this function only once, because it binds values.
   * `as` is the type that a function or an arithmetic operator requires of its operand: there, numbers are bound as
   * numeric, and null gets this type. Omit `as` for an operand of a comparison.
   */
  readonly term: (as?: OperandType) => Term;
}

/** Resolves an operand. Throws unknownField, ambiguousField, wrongType or expressionTooLarge. */
function resolveOperand(operand: Operand, scope: OperandScope): ResolvedOperand {
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
  // Rounding may add a digit to a number. All other functions that return a number count characters, and such a count
  // has at most COUNT_DIGITS digits.
  const whole = takes[0] === 'number' ? (first?.resolved.digits.whole ?? 0) + 1 : COUNT_DIGITS;
  return { operand: call, type: gives, digits: expectFew({ whole, fraction: 0 }), isWhole: false, term };
}

const resolveTextOperand = (operand: Operand, scope: OperandScope): ResolvedOperand =>
  resolveAs(operand, 'text', scope);

const resolveNumber = (operand: Operand, scope: OperandScope): ResolvedOperand =>
  resolveAs(operand, 'number', scope);

function resolveAs(operand: Operand, type: OperandType, scope: OperandScope): ResolvedOperand {
  const resolved = resolveOperand(operand, scope);
  expectType(resolved, type);
  return resolved;
}

const COUNT_DIGITS = 10;

/**
 * The number of decimals of a quotient. Further decimals are cut off.
 */
export const QUOTIENT_DECIMALS = 20;

const WITHOUT_DIGITS: Digits = { whole: 0, fraction: 0 };

const BIGINT_DIGITS = 19;
/** The number of digits of a stored decimal that is never negative. */
const UNSIGNED_DIGITS = 13;

/** The maximum number of digits that a field's value can have, because its column is a bigint. */
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

/**
 * For each operator, the maximum number of digits of the result. Results with too many digits are refused, so that
 * nothing overflows or is truncated.
 */
const DIGITS_AFTER: Readonly<Record<ArithmeticOperator, (left: Digits, right: Digits) => Digits>> = {
  add: sum,
  sub: sum,
  mul: (left, right) => ({ whole: left.whole + right.whole, fraction: left.fraction + right.fraction }),
  // The quotient is greatest if the divisor is smallest: one unit in its last decimal.
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

/**
 * The type in which a number is bound. It is bigint for an integer of at most 18 digits, so that PostgreSQL can use the
 * index of a field of whole numbers.
 */
function bindTypeOf(number: string): Extract<BoundType, 'bigint' | 'numeric'> {
  return /^-?\d{1,18}$/.test(number) ? 'bigint' : 'numeric';
}

function expectType({ operand, type }: ResolvedOperand, expected: ValueType | undefined): void {
  if (type !== undefined && expected !== undefined && type !== expected) throw wrongType(operand, [expected]);
}

const PHRASES = {
  number: 'number',
  text: 'text',
  boolean: 'boolean',
  instant: "date or instant such as '2026-01-31' or '2026-01-31T12:00:00Z'",
} as const satisfies Readonly<Record<ValueType, Phrase>>;

function wrongType(operand: Operand, expected: readonly ValueType[]): ServiceError {
  return new ServiceError('wrongType', {
    parameter: '$filter',
    position: String(operand.position),
    found: excerpt(writtenAs(operand)),
    expected: expected.map((type) => ({ phrase: PHRASES[type] })),
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
