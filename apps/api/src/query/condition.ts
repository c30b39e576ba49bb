import type { Field, StoredDecimal } from '@takt/catalogue/resources';
import type { ArithmeticOperator, ComparisonOperator, TextMatchKind, ValueFunctionName } from '@takt/query';
import type { ValueType } from './resolve-fields.js';

export type BoundType = 'bigint' | 'numeric' | 'text' | 'boolean' | 'instant';

/**
 * A filter with resolved fields and checked types. Its values are kept separately; the condition refers to them by
 * number.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | SimpleCondition;

/** A condition on terms, without nested conditions. */
export type SimpleCondition =
  | { readonly kind: 'absent'; readonly term: Term; readonly isNegated: boolean }
  | {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly type: ValueType;
      readonly left: Term;
      readonly right: Term;
      /** True if the comparison also holds when a side is missing. Only for a decimal compared with a constant. */
      readonly orMissing: boolean;
    }
  | { readonly kind: 'in'; readonly type: BoundType; readonly term: Term; readonly values: number }
  | {
      readonly kind: 'textMatch';
      readonly match: TextMatchKind;
      readonly text: Term;
      readonly part: Term;
      /** True if the condition is only an additional test next to a text range that implies almost the same. */
      readonly isInRange: boolean;
    }
  | TextRange;

/** The texts from one up to, but not including, another, in the collation order of lists. */
interface TextRange {
  readonly kind: 'textRange';
  readonly term: FieldTerm;
  /** The bounds of the range, as numbers of values. */
  readonly from: number;
  readonly until: number;
  /** True if the range probably contains few texts. */
  readonly isNarrow: boolean;
}

export interface FieldTerm {
  readonly kind: 'field';
  readonly field: Field;
}

export type Term =
  | FieldTerm
  | { readonly kind: 'value'; readonly type: BoundType; readonly value: number }
  | { readonly kind: 'missing'; readonly type: BoundType }
  | { readonly kind: 'call'; readonly function: ValueFunctionName; readonly arguments: readonly Term[] }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Term;
      readonly right: Term;
    }
  | { readonly kind: 'negative'; readonly term: Term };

/** A bound parameter: a text in the type's input format, or a list of them. */
export type BoundValue = string | readonly string[];

export type ComparisonCondition = Extract<SimpleCondition, { readonly kind: 'comparison' }>;

export interface ResolvedFilter {
  readonly condition: Condition;
  /** The values, indexed by their numbers in the condition. */
  readonly values: readonly BoundValue[];
}

type Node = Condition | Term;

/** The direct parts of a condition or term. */
function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.conditions;
    case 'not':
      return [node.condition];
    case 'absent':
    case 'in':
    case 'textRange':
    case 'negative':
      return [node.term];
    case 'comparison':
    case 'arithmetic':
      return [node.left, node.right];
    case 'textMatch':
      return [node.text, node.part];
    case 'call':
      return node.arguments;
    case 'constant':
    case 'field':
    case 'value':
    case 'missing':
      return [];
  }
}

/** The cost of a filter per row: its comparisons, operators, functions and operands. */
export function countParts(node: Node): number {
  const inside = partsOf(node).reduce((parts, part) => parts + countParts(part), 0);
  return node.kind === 'and' || node.kind === 'or' ? inside : 1 + inside;
}

export function fieldsIn(node: Node): readonly Field[] {
  return node.kind === 'field' ? [node.field] : partsOf(node).flatMap(fieldsIn);
}

/** True if the filter contains a client's value. If it does not, one plan of its statement is always good. */
export function holdsValues(node: Node | undefined): boolean {
  if (node === undefined) return false;
  return ['value', 'in', 'textRange'].includes(node.kind) || partsOf(node).some(holdsValues);
}

const isConstant = (term: Term): boolean => fieldsIn(term).length === 0;

/** True if a term may be missing: a field, an operation on a missing value, or a division by zero. */
export function mayBeMissing(term: Node): boolean {
  if (term.kind === 'field') return term.field.isNullable || term.field.lookup !== undefined;
  if (term.kind === 'missing') return true;
  const mayDivideByZero = term.kind === 'arithmetic' && ['div', 'mod'].includes(term.operator);
  return mayDivideByZero || partsOf(term).some(mayBeMissing);
}

export interface DecimalTerm {
  readonly kind: 'field';
  readonly field: Field & { readonly stored: StoredDecimal };
}

export const isDecimal = (term: Term): term is DecimalTerm =>
  term.kind === 'field' && term.field.stored !== undefined;

/** The operator with the same meaning after the sides of a comparison are exchanged. */
export const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

/** A comparison of a stored, indexed number with a constant. */
interface NumberWithConstant {
  readonly field: Field;
  readonly stored: StoredDecimal;
  /** The operator for the field on the left side. */
  readonly operator: ComparisonOperator;
  readonly constant: Term;
}

/** Recognises a comparison with the number on either side; undefined for any other comparison. */
export function numberWithConstant(comparison: ComparisonCondition): NumberWithConstant | undefined {
  const { left, right, operator } = comparison;
  return beside(left, right, operator) ?? beside(right, left, MIRRORED[operator]);
}

function beside(term: Term, constant: Term, operator: ComparisonOperator): NumberWithConstant | undefined {
  const stored = isConstant(constant) ? storedOf(term) : undefined;
  return stored && term.kind === 'field' ? { field: term.field, stored, operator, constant } : undefined;
}

/** Whole numbers are stored without decimals. */
const WHOLE: StoredDecimal = { decimals: 0, isSigned: true };

/**
 * The stored unit of a number column of the list: a decimal, or a whole number that is never null. Undefined for other
 * terms.
 */
export function storedOf(term: Term): StoredDecimal | undefined {
  if (term.kind !== 'field' || isDecimal(term)) return isDecimal(term) ? term.field.stored : undefined;
  return term.field.type === 'integer' && !mayBeMissing(term) ? WHOLE : undefined;
}

/** The operands of a top-level `and`; a filter of another kind is returned as the only operand. */
function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? condition.conditions.flatMap(conjunctsOf) : [condition];
}

/** The conjuncts of a filter, split for reading rows in the order of a field's sort key. */
interface ConditionsByRange {
  /**
   * Conditions that together bound the sort key to one contiguous range by constants. They are index conditions: all
   * rows between the bounds in the index match them.
   */
  readonly within: readonly Condition[];
  /** All other conditions, which are tested for each row. */
  readonly rest: readonly Condition[];
}

/**
 * Splits a filter. Both parts are in the order of the filter and without nested `and`; joined by `and` they are the
 * filter.
 */
export function splitByRange(condition: Condition | undefined, field: Field): ConditionsByRange {
  const conjuncts = conjunctsOf(condition);
  const isWithin = (conjunct: Condition) => rangedField(conjunct) === field;
  return {
    within: conjuncts.filter(isWithin),
    rest: conjuncts.filter((conjunct) => !isWithin(conjunct)),
  };
}

/** The field whose sort key a condition bounds to one range. */
function rangedField(condition: Condition): Field | undefined {
  switch (condition.kind) {
    case 'comparison': {
      const compared = numberWithConstant(condition);
      // Missing values are at the lower end of the index, next to the least values.
      const isRange = condition.orMissing
        ? ['lt', 'le'].includes(compared?.operator ?? '')
        : condition.operator !== 'ne';
      return isRange ? compared?.field : undefined;
    }
    case 'absent':
      return absentField(condition);
    case 'textRange':
      return condition.term.field;
    default:
      return undefined;
  }
}

/**
 * The field of a condition that tests for a missing decimal: such values share the least sort key, and so form a range.
 */
function absentField({ term }: Extract<Condition, { readonly kind: 'absent' }>): Field | undefined {
  return isDecimal(term) && term.field.isNullable ? term.field : undefined;
}

/**
 * True if the filter probably leaves few rows, and the planner can know that and find them by an index: then its plan
 * is better than a long walk. True for conditions on values of an identifier, of a sortable number, or of a text with
 * an index.
 */
export function isNarrow(condition: Condition | undefined): boolean {
  return conjunctsOf(condition).some((conjunct) => {
    switch (conjunct.kind) {
      case 'comparison': {
        if (conjunct.operator !== 'eq' || conjunct.orMissing) return false;
        const field = numberWithConstant(conjunct)?.field;
        return field === undefined ? isIndexedText(conjunct.left, conjunct.right) : isIndexedNumber(field);
      }
      case 'in': {
        const { term } = conjunct;
        return term.kind === 'field' && storedOf(term) !== undefined && isIndexedNumber(term.field);
      }
      case 'textMatch':
        return !conjunct.isInRange && isIndexedText(conjunct.text, conjunct.part);
      case 'textRange':
        return conjunct.isNarrow;
      default:
        return false;
    }
  });
}

/** True if the filter leaves only rows whose value of the field is in a list. */
export function isAmong(condition: Condition | undefined, field: Field): boolean {
  return conjunctsOf(condition).some(
    (conjunct) => conjunct.kind === 'in' && conjunct.term.kind === 'field' && conjunct.term.field === field,
  );
}

/** True if lists can be sorted by the number, or if it is an identifier. */
const isIndexedNumber = ({ queryName, name }: Field): boolean =>
  queryName !== undefined || name.endsWith('Id');

const isIndexedText = (text: Term, value: Term): boolean =>
  text.kind === 'field' && text.field.textIndex !== undefined && value.kind === 'value';

/**
 * Fields whose sort key is the same in all rows that match the filter, so that sorting by them has no effect. Texts are
 * excluded, because they may be equal ignoring case and yet differ.
 */
export function constantFields(condition: Condition | undefined): ReadonlySet<Field> {
  const fields = conjunctsOf(condition).map((conjunct) => {
    if (conjunct.kind === 'absent') return conjunct.isNegated ? undefined : absentField(conjunct);
    const isEqual = conjunct.kind === 'comparison' && conjunct.operator === 'eq' && !conjunct.orMissing;
    return isEqual ? numberWithConstant(conjunct)?.field : undefined;
  });
  return new Set(fields.filter((field) => field !== undefined));
}
