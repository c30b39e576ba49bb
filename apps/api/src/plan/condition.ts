import type { Field, StoredDecimal } from '@takt/catalogue/resources';
import type { ArithmeticOperator, ComparisonOperator, TextMatchKind, ValueFunctionName } from '@takt/query';
import type { ValueType } from './resolve-fields.js';

export type BoundType = 'bigint' | 'numeric' | 'text' | 'boolean' | 'instant';

/**
 * A filter whose field names are resolved and whose types are checked. The condition does not contain the values of the
 * filter: it refers to each value by its number, which is an index in `values` of ResolvedFilter.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | SimpleCondition;

/** A condition that compares or tests terms and contains no other condition. */
export type SimpleCondition =
  | { readonly kind: 'absent'; readonly term: Term; readonly isNegated: boolean }
  | {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly type: ValueType;
      readonly left: Term;
      readonly right: Term;
      /**
       * True if the comparison also holds when one of its sides is missing. This is possible only for a decimal
       * compared with a constant.
       */
      readonly orMissing: boolean;
    }
  | { readonly kind: 'in'; readonly type: BoundType; readonly term: Term; readonly values: number }
  | {
      readonly kind: 'textMatch';
      readonly match: TextMatchKind;
      readonly text: Term;
      readonly part: Term;
      /**
       * True if a text range next to this condition already implies almost the same, so that this condition is only an
       * additional test.
       */
      readonly isInRange: boolean;
    }
  | TextRange;

/** True for the texts from `from` (included) to `until` (excluded), in the collation by which lists are sorted. */
interface TextRange {
  readonly kind: 'textRange';
  readonly term: FieldTerm;
  /** The bounds of the range, as indexes in `values` of ResolvedFilter. */
  readonly from: number;
  readonly until: number;
  /** True if probably only few texts are in the range. */
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

/**
 * A value to bind to a parameter of the statement: a text in the input format of the parameter's type, or a list of
 * such texts.
 */
export type BoundValue = string | readonly string[];

export type ComparisonCondition = Extract<SimpleCondition, { readonly kind: 'comparison' }>;

export interface ResolvedFilter {
  readonly condition: Condition;
  /** The values of the filter. The condition refers to a value by its index in this array. */
  readonly values: readonly BoundValue[];
}

type Node = Condition | Term;

/** The conditions and terms directly inside a condition or term. */
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

/**
 * Measures the cost of testing a filter on one row: the number of its comparisons, operators, functions and operands.
 */
export function countParts(node: Node): number {
  const inside = partsOf(node).reduce((parts, part) => parts + countParts(part), 0);
  return node.kind === 'and' || node.kind === 'or' ? inside : 1 + inside;
}

export function fieldsIn(node: Node): readonly Field[] {
  return node.kind === 'field' ? [node.field] : partsOf(node).flatMap(fieldsIn);
}

/**
 * True if the filter contains a value from a client. A statement without such a value can use the same plan every time.
 */
export function holdsValues(node: Node | undefined): boolean {
  if (node === undefined) return false;
  return ['value', 'in', 'textRange'].includes(node.kind) || partsOf(node).some(holdsValues);
}

const isConstant = (term: Term): boolean => fieldsIn(term).length === 0;

/**
 * True if the value of a term may be missing: a nullable field, a field of a look-up table, an operation on a missing
 * value, or a division by zero.
 */
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

/**
 * For each operator, the operator that keeps the meaning of a comparison when its left and right sides are exchanged.
 */
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
  /** The operator for a comparison in which the field is on the left side. */
  readonly operator: ComparisonOperator;
  readonly constant: Term;
}

/**
 * Recognises a comparison of a stored number with a constant, whichever of the two is on the left. Returns undefined
 * for any other comparison.
 */
export function numberWithConstant(comparison: ComparisonCondition): NumberWithConstant | undefined {
  const { left, right, operator } = comparison;
  return beside(left, right, operator) ?? beside(right, left, MIRRORED[operator]);
}

function beside(term: Term, constant: Term, operator: ComparisonOperator): NumberWithConstant | undefined {
  const stored = isConstant(constant) ? storedOf(term) : undefined;
  return stored && term.kind === 'field' ? { field: term.field, stored, operator, constant } : undefined;
}

/** Describes a whole number like a stored decimal: it has no decimals. */
const WHOLE: StoredDecimal = { decimals: 0, isSigned: true };

/**
 * The unit in which a number column of the list is stored. The term must be a decimal field, or a field of whole
 * numbers that is never null; for other terms the result is undefined.
 */
export function storedOf(term: Term): StoredDecimal | undefined {
  if (term.kind !== 'field' || isDecimal(term)) return isDecimal(term) ? term.field.stored : undefined;
  return term.field.type === 'integer' && !mayBeMissing(term) ? WHOLE : undefined;
}

/**
 * The operands of an `and` at the top of a filter, also of nested ones. Any other filter is returned as the only
 * operand.
 */
function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? condition.conditions.flatMap(conjunctsOf) : [condition];
}

/**
 * The operands of the filter's top-level `and`, split into two groups for reading rows in the order of a field's sort
 * key.
 */
interface ConditionsByRange {
  /**
   * Conditions that compare the sort key with constants, and together limit it to one contiguous range. PostgreSQL
   * evaluates these conditions in the index: every row between the bounds matches them.
   */
  readonly within: readonly Condition[];
  /** All other conditions, which must be tested for each row. */
  readonly rest: readonly Condition[];
}

/**
 * Splits a filter into the two groups. Each group keeps the order of the filter and contains no nested `and`. The two
 * groups joined by `and` have the same meaning as the filter.
 */
export function splitByRange(condition: Condition | undefined, field: Field): ConditionsByRange {
  const conjuncts = conjunctsOf(condition);
  const isWithin = (conjunct: Condition) => rangedField(conjunct) === field;
  return {
    within: conjuncts.filter(isWithin),
    rest: conjuncts.filter((conjunct) => !isWithin(conjunct)),
  };
}

/** The field whose sort key the condition limits to one range; undefined if there is no such field. */
function rangedField(condition: Condition): Field | undefined {
  switch (condition.kind) {
    case 'comparison': {
      const compared = numberWithConstant(condition);
      // Missing values are at the lower end of the index, next to the least values. So a comparison that also holds for
      // missing values covers one range only if it has no lower bound.
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
 * The field of a condition that tests whether a decimal is missing. All missing decimals of a field have the same,
 * least sort key, so they form a range of the index.
 */
function absentField({ term }: Extract<Condition, { readonly kind: 'absent' }>): Field | undefined {
  return isDecimal(term) && term.field.isNullable ? term.field : undefined;
}

/**
 * True if probably only few rows match the filter, and the planner can know this and find the rows by an index. Then
 * the planner's choice is better than a long walk (see read-page.ts). This is so if the filter requires certain values
 * of an identifier, of a number by which lists can be sorted, or of a text that has an index.
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

/** True if the filter requires that the field has one of the values of a list (`in`). */
export function isAmong(condition: Condition | undefined, field: Field): boolean {
  return conjunctsOf(condition).some(
    (conjunct) => conjunct.kind === 'in' && conjunct.term.kind === 'field' && conjunct.term.field === field,
  );
}

/** True if lists can be sorted by the number, or if the number is an identifier. */
const isIndexedNumber = ({ queryName, name }: Field): boolean =>
  queryName !== undefined || name.endsWith('Id');

const isIndexedText = (text: Term, value: Term): boolean =>
  text.kind === 'field' && text.field.textIndex !== undefined && value.kind === 'value';

/**
 * The fields that have the same sort key in all rows that match the filter. Sorting by such a field has no effect. Text
 * fields are excluded: a filter ignores case, so the matching texts may differ in case.
 */
export function constantFields(condition: Condition | undefined): ReadonlySet<Field> {
  const fields = conjunctsOf(condition).map((conjunct) => {
    if (conjunct.kind === 'absent') return conjunct.isNegated ? undefined : absentField(conjunct);
    const isEqual = conjunct.kind === 'comparison' && conjunct.operator === 'eq' && !conjunct.orMissing;
    return isEqual ? numberWithConstant(conjunct)?.field : undefined;
  });
  return new Set(fields.filter((field) => field !== undefined));
}
