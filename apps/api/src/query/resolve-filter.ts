import { ServiceError } from '@takt/error-catalogue';
import {
  excerpt,
  type FilterExpression,
  type Literal,
  type Operand as ParsedOperand,
} from '@takt/query-options';
import type { Field, ListResource } from '@takt/resources';
import { resolveField } from './resolve-fields.js';
import { type ValueType, valueTypeOf } from './sort-key.js';

/** How a value is bound. */
export type BoundType = 'bigint' | 'numeric' | 'text' | 'boolean';

/** A filter whose names are fields, whose types fit and whose values stand apart, by number. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'absent'; readonly term: Term; readonly isNegated: boolean }
  | {
      readonly kind: 'comparison';
      readonly operator: Operator;
      readonly type: ValueType;
      readonly left: Term;
      readonly right: Term;
    }
  | { readonly kind: 'in'; readonly type: ValueType; readonly term: Term; readonly values: number }
  | {
      readonly kind: 'textMatch';
      readonly match: 'startswith' | 'endswith' | 'contains';
      readonly text: Term;
      readonly part: Term;
    };

export type Operator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

export type Term =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'value'; readonly type: BoundType; readonly value: number }
  | {
      readonly kind: 'call';
      readonly function: 'tolower' | 'toupper' | 'trim' | 'length';
      readonly argument: Term;
    };

/** What is bound: a text that PostgreSQL reads as the type, or a list of them. */
export type BoundValue = string | null | readonly string[];

export interface ResolvedFilter {
  readonly condition: Condition;
  /** By the number that stands in the condition. */
  readonly values: readonly BoundValue[];
}

/**
 * Looks the names of a filter up and checks that what is compared can be compared. Comparisons with a missing value
 * are false, save `eq null` and `ne null`, and `not` of them is true: two-valued. Throws unknownField or wrongType.
 */
export function resolveFilter(resource: ListResource, expression: FilterExpression): ResolvedFilter {
  const values: BoundValue[] = [];
  const bind = (value: BoundValue) => values.push(value) - 1;
  return { condition: resolveExpression(expression, { resource, bind }), values };
}

interface Surroundings {
  readonly resource: ListResource;
  readonly bind: (value: BoundValue) => number;
}

type Comparison = Extract<FilterExpression, { kind: 'comparison' }>;

function resolveExpression(expression: FilterExpression, around: Surroundings): Condition {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return {
        kind: expression.kind,
        conditions: expression.operands.map((operand) => resolveExpression(operand, around)),
      };
    case 'not':
      return { kind: 'not', condition: resolveExpression(expression.operand, around) };
    case 'comparison':
      return resolveComparison(expression, around);
    case 'in': {
      const type = typeOf(expression.operand, around);
      for (const value of expression.values) expectType(value, type, around);
      const present = expression.values.filter((value) => value.type !== 'null');
      return {
        kind: 'in',
        type: type ?? 'text',
        term: resolveOperand(expression.operand, around),
        values: around.bind(present.map(({ value }) => value)),
      };
    }
    case 'textMatch': {
      expectType(expression.text, 'text', around);
      expectType(expression.part, 'text', around);
      return {
        kind: 'textMatch',
        match: expression.match,
        text: resolveOperand(expression.text, around),
        part: resolveOperand(expression.part, around),
      };
    }
  }
}

function resolveComparison({ operator, left, right }: Comparison, around: Surroundings): Condition {
  const [leftType, rightType] = [typeOf(left, around), typeOf(right, around)];
  if (leftType === undefined || rightType === undefined) {
    if (operator !== 'eq' && operator !== 'ne') return { kind: 'constant', holds: false };
    const tested = leftType === undefined ? right : left;
    return { kind: 'absent', term: resolveOperand(tested, around), isNegated: operator === 'ne' };
  }
  // The field says what is expected, the literal is at fault, on whichever side it stands.
  if (left.kind === 'literal') expectType(left, rightType, around);
  else expectType(right, leftType, around);
  if (leftType === 'boolean' && operator !== 'eq' && operator !== 'ne') {
    throw wrongType(left, 'number, text');
  }
  return {
    kind: 'comparison',
    operator,
    type: leftType,
    left: resolveOperand(left, around),
    right: resolveOperand(right, around),
  };
}

function resolveOperand(operand: ParsedOperand, around: Surroundings): Term {
  switch (operand.kind) {
    case 'field':
      return { kind: 'field', field: fieldOf(operand, around) };
    case 'literal':
      return bindLiteral(operand, around);
    case 'call':
      expectType(operand.argument, 'text', around);
      return {
        kind: 'call',
        function: operand.function,
        argument: resolveOperand(operand.argument, around),
      };
  }
}

/** An integer of at most 18 digits fits a bigint, which an index of whole numbers can be searched for. */
const BIGINT = /^-?\d{1,18}$/;

function bindLiteral({ type, value }: Literal, { bind }: Surroundings): Term {
  switch (type) {
    case 'null':
      return { kind: 'value', type: 'text', value: bind(null) };
    case 'text':
    case 'boolean':
      return { kind: 'value', type, value: bind(value) };
    case 'integer':
    case 'decimal':
      return { kind: 'value', type: BIGINT.test(value) ? 'bigint' : 'numeric', value: bind(value) };
  }
}

/** undefined: null, which has every type. */
function typeOf(operand: ParsedOperand, around: Surroundings): ValueType | undefined {
  switch (operand.kind) {
    case 'field':
      return valueTypeOf(fieldOf(operand, around));
    case 'call':
      return operand.function === 'length' ? 'number' : 'text';
    case 'literal':
      if (operand.type === 'null') return undefined;
      return operand.type === 'integer' || operand.type === 'decimal' ? 'number' : operand.type;
  }
}

function expectType(operand: ParsedOperand, expected: ValueType | undefined, around: Surroundings): void {
  const found = typeOf(operand, around);
  if (found !== undefined && expected !== undefined && found !== expected) throw wrongType(operand, expected);
}

function wrongType(operand: ParsedOperand, expected: string): ServiceError {
  return new ServiceError('wrongType', {
    parameter: '$filter',
    position: String(operand.position),
    found: excerpt(sourceOf(operand)),
    expected,
  });
}

function sourceOf(operand: ParsedOperand): string {
  if (operand.kind === 'field') return operand.name;
  return operand.kind === 'call' ? `${operand.function}(...)` : operand.source;
}

function fieldOf(operand: Extract<ParsedOperand, { kind: 'field' }>, { resource }: Surroundings): Field {
  return resolveField(resource, { parameter: '$filter', name: operand.name, position: operand.position });
}
