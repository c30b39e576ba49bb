import {
  type Comparison,
  comparisonOperators,
  type FilterExpression,
  type Inclusion,
  type TextMatch,
} from '@takt/query-options';
import type { ListResource } from '@takt/resources';
import type { BoundType, BoundValue, Condition, ResolvedFilter } from './condition.js';
import {
  bindTypeOf,
  expectType,
  type OperandScope,
  resolveOperand,
  resolveTextOperand,
  wrongType,
} from './resolve-operand.js';
import { sharpenFilter } from './sharpen-filter.js';

/**
 * Looks the names of a filter up and checks that what is compared can be compared. Comparisons with a missing value
 * are false, save `eq null` and `ne null`, and `not` of them is true: two-valued. Throws unknownField, ambiguousField,
 * wrongType or expressionTooLarge.
 */
export function resolveFilter(resource: ListResource, expression: FilterExpression): ResolvedFilter {
  return sharpenFilter(resolveAsWritten(resource, expression));
}

/** The same before it is brought into the form that indexes are asked by. */
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
  // The field says what is expected, the literal is at fault, on whichever side it stands.
  if (left.operand.kind === 'literal') {
    expectType(left, right.type);
  } else {
    expectType(right, left.type);
  }
  if (left.type === 'boolean' && comparesOrder) throw wrongType(left.operand, ['number', 'text']);
  const sides = { left: left.term(), right: right.term() };
  return { kind: 'comparison', operator, type: left.type, ...sides, orMissing: false };
}

/** `null` in the list asks whether the value is missing, as `eq null` does. */
function resolveInclusion(inclusion: Inclusion, scope: OperandScope): Condition {
  const tested = resolveOperand(inclusion.operand, scope);
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

const NEVER: Condition = { kind: 'constant', holds: false };

/** A list of whole numbers finds whole numbers by their index. */
function numbersAs(isWhole: boolean, values: readonly string[]): BoundType {
  return isWhole && values.every((value) => bindTypeOf(value) === 'bigint') ? 'bigint' : 'numeric';
}

function resolveTextMatch({ match, text, part }: TextMatch, scope: OperandScope): Condition {
  const [whole, sought] = [resolveTextOperand(text, scope), resolveTextOperand(part, scope)];
  return {
    ...{ kind: 'textMatch', match, isInRange: false },
    ...{ text: whole.term('text'), part: sought.term('text') },
  };
}
