import { ServiceError } from '@takt/error-catalogue';
import {
  type Comparison,
  type ComparisonOperator,
  comparisonOperators,
  excerpt,
  type FilterExpression,
  type Inclusion,
  type Literal,
  type Operand,
  type TextFunctionName,
  type TextMatch,
  type TextMatchKind,
  textFunctions,
} from '@takt/query-options';
import type { Field, ListResource } from '@takt/resources';
import { resolveField, type ValueType, valueTypeOf } from './resolve-fields.js';

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
      readonly operator: ComparisonOperator;
      readonly type: ValueType;
      readonly left: Term;
      readonly right: Term;
    }
  | { readonly kind: 'in'; readonly type: ValueType; readonly term: Term; readonly values: number }
  | {
      readonly kind: 'textMatch';
      readonly match: TextMatchKind;
      readonly text: Term;
      readonly part: Term;
    };

export type Term =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'value'; readonly type: BoundType; readonly value: number }
  | {
      readonly kind: 'call';
      readonly function: TextFunctionName;
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
  return { condition: resolveCondition(expression, { resource, bind }), values };
}

interface FilterScope {
  readonly resource: ListResource;
  readonly bind: (value: BoundValue) => number;
}

function resolveCondition(expression: FilterExpression, scope: FilterScope): Condition {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return {
        kind: expression.kind,
        conditions: expression.operands.map((operand) => resolveCondition(operand, scope)),
      };
    case 'not':
      return { kind: 'not', condition: resolveCondition(expression.operand, scope) };
    case 'comparison':
      return resolveComparison(expression, scope);
    case 'in':
      return resolveInclusion(expression, scope);
    case 'textMatch':
      return resolveTextMatch(expression, scope);
  }
}

function resolveComparison(comparison: Comparison, scope: FilterScope): Condition {
  const { operator } = comparison;
  const { comparesOrder } = comparisonOperators[operator];
  const [left, right] = [typedOperand(comparison.left, scope), typedOperand(comparison.right, scope)];
  if (left.type === undefined || right.type === undefined) {
    if (comparesOrder) return { kind: 'constant', holds: false };
    const tested = left.type === undefined ? right : left;
    return { kind: 'absent', term: tested.term(), isNegated: operator === 'ne' };
  }
  // The field says what is expected, the literal is at fault, on whichever side it stands.
  if (left.operand.kind === 'literal') {
    expectType(left, right.type);
  } else {
    expectType(right, left.type);
  }
  if (left.type === 'boolean' && comparesOrder) throw wrongType(left.operand, 'number, text');
  return { kind: 'comparison', operator, type: left.type, left: left.term(), right: right.term() };
}

function resolveInclusion(inclusion: Inclusion, scope: FilterScope): Condition {
  const tested = typedOperand(inclusion.operand, scope);
  for (const value of inclusion.values) expectType(typedOperand(value, scope), tested.type);
  const present = inclusion.values.filter(({ type }) => type !== 'null');
  const term = tested.term();
  return {
    kind: 'in',
    type: tested.type ?? 'text',
    term,
    values: scope.bind(present.map(({ value }) => value)),
  };
}

function resolveTextMatch({ match, text, part }: TextMatch, scope: FilterScope): Condition {
  const [whole, sought] = [textOperand(text, scope), textOperand(part, scope)];
  return { kind: 'textMatch', match, text: whole.term(), part: sought.term() };
}

/** An operand whose name has been looked up, once; what is inside of a call, and what is bound, comes with its term. */
interface TypedOperand {
  readonly operand: Operand;
  /** undefined: null, which has every type. */
  readonly type: ValueType | undefined;
  /** To be asked for once. */
  readonly term: () => Term;
}

const LITERAL_TYPES: Readonly<Record<Literal['type'], ValueType | undefined>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  null: undefined,
};

function typedOperand(operand: Operand, scope: FilterScope): TypedOperand {
  switch (operand.kind) {
    case 'field': {
      const { name, position } = operand;
      const field = resolveField(scope.resource, { parameter: '$filter', name, position });
      return { operand, type: valueTypeOf(field), term: () => ({ kind: 'field', field }) };
    }
    case 'call': {
      const { function: name, argument } = operand;
      const term = (): Term => ({
        kind: 'call',
        function: name,
        argument: textOperand(argument, scope).term(),
      });
      return { operand, type: textFunctions[name].gives, term };
    }
    case 'literal':
      return { operand, type: LITERAL_TYPES[operand.type], term: () => bindLiteral(operand, scope) };
  }
}

/** An operand that has to be a text. */
function textOperand(operand: Operand, scope: FilterScope): TypedOperand {
  const typed = typedOperand(operand, scope);
  expectType(typed, 'text');
  return typed;
}

/** An integer of at most 18 digits fits a bigint, which an index of whole numbers can be searched for. */
const BIGINT = /^-?\d{1,18}$/;

function bindLiteral({ type, value }: Literal, { bind }: FilterScope): Term {
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

function expectType({ operand, type }: TypedOperand, expected: ValueType | undefined): void {
  if (type !== undefined && expected !== undefined && type !== expected) throw wrongType(operand, expected);
}

function wrongType(operand: Operand, expected: string): ServiceError {
  return new ServiceError('wrongType', {
    parameter: '$filter',
    position: String(operand.position),
    found: excerpt(writtenAs(operand)),
    expected,
  });
}

function writtenAs(operand: Operand): string {
  if (operand.kind === 'field') return operand.name;
  return operand.kind === 'call' ? `${operand.function}(...)` : operand.source;
}
