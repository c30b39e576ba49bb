import type { Field, StoredDecimal } from '@takt/catalogue/resources';
import type { ArithmeticOperator, ComparisonOperator, TextMatchKind, ValueFunctionName } from '@takt/query';
import type { ValueType } from './resolve-fields.js';

/** How a value is bound. */
export type BoundType = 'bigint' | 'numeric' | 'text' | 'boolean' | 'instant';

/** A filter whose names are fields, whose types fit and whose values stand apart, by number. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | SimpleCondition;

/** A condition on terms. */
export type SimpleCondition =
  | { readonly kind: 'absent'; readonly term: Term; readonly isNegated: boolean }
  | {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly type: ValueType;
      readonly left: Term;
      readonly right: Term;
      /** Whether it holds besides where a side is missing. Only of a decimal with what is the same for all rows, and there. */
      readonly orMissing: boolean;
    }
  | { readonly kind: 'in'; readonly type: BoundType; readonly term: Term; readonly values: number }
  | {
      readonly kind: 'textMatch';
      readonly match: TextMatchKind;
      readonly text: Term;
      readonly part: Term;
      /** Whether it is asked besides for a range that has little else. */
      readonly isInRange: boolean;
    }
  | TextRange;

/** From a text on and before another one, in the order in which lists order by the field. */
interface TextRange {
  readonly kind: 'textRange';
  readonly term: FieldTerm;
  /** Values, by number. */
  readonly from: number;
  readonly until: number;
  /** Whether few texts are to be expected in it. */
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

/** What is bound: a text that PostgreSQL reads as the type, or a list of them. */
export type BoundValue = string | readonly string[];

export type ComparisonCondition = Extract<SimpleCondition, { readonly kind: 'comparison' }>;

export interface ResolvedFilter {
  readonly condition: Condition;
  /** By the number that stands in the condition. */
  readonly values: readonly BoundValue[];
}

type Node = Condition | Term;

/** The conditions and terms directly inside of one. */
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

/** What is evaluated for a row: comparisons, operators, functions and what they are of. */
export function countParts(node: Node): number {
  const inside = partsOf(node).reduce((parts, part) => parts + countParts(part), 0);
  return node.kind === 'and' || node.kind === 'or' ? inside : 1 + inside;
}

/** Every field in a condition or a term. */
export function fieldsIn(node: Node): readonly Field[] {
  return node.kind === 'field' ? [node.field] : partsOf(node).flatMap(fieldsIn);
}

/** Whether a value that a client sent stands in the filter: if none does, one plan of its statement is good for all. */
export function holdsValues(node: Node | undefined): boolean {
  if (node === undefined) return false;
  return ['value', 'in', 'textRange'].includes(node.kind) || partsOf(node).some(holdsValues);
}

/** Whether a term is the same for all rows. */
const isConstant = (term: Term): boolean => fieldsIn(term).length === 0;

/** Whether a term may be missing: a field, or what is made of a missing one or divided by zero. */
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

/** The same comparison with its sides exchanged. */
export const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

/** A number as it is stored and indexed, with what is the same for all rows. */
interface NumberWithConstant {
  readonly field: Field;
  readonly stored: StoredDecimal;
  /** With the field on its left. */
  readonly operator: ComparisonOperator;
  readonly constant: Term;
}

/** Whichever side the number stands on; undefined for any other comparison. */
export function numberWithConstant(comparison: ComparisonCondition): NumberWithConstant | undefined {
  const { left, right, operator } = comparison;
  return beside(left, right, operator) ?? beside(right, left, MIRRORED[operator]);
}

function beside(term: Term, constant: Term, operator: ComparisonOperator): NumberWithConstant | undefined {
  const stored = isConstant(constant) ? storedOf(term) : undefined;
  return stored && term.kind === 'field' ? { field: term.field, stored, operator, constant } : undefined;
}

/** Whole numbers, in ones. */
const WHOLE: StoredDecimal = { decimals: 0, isSigned: true };

/** The units of a number of the list itself: of a decimal, or of a whole number that every row has. */
export function storedOf(term: Term): StoredDecimal | undefined {
  if (term.kind !== 'field' || isDecimal(term)) return isDecimal(term) ? term.field.stored : undefined;
  return term.field.type === 'integer' && !mayBeMissing(term) ? WHOLE : undefined;
}

/** The conditions that a row must meet, each and all: a filter that is no `and` is one. */
function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? condition.conditions.flatMap(conjunctsOf) : [condition];
}

/** The conjuncts of a filter, apart by what they mean to who reads the rows in the order of a field's sort key. */
interface ConditionsByRange {
  /**
   * Together they bound the sort key to one stretch without gaps, by values that are the same for all rows, and are asked
   * of an index of the sort key: whoever reads that index between them meets no row that they leave out.
   */
  readonly within: readonly Condition[];
  /** All others, which each row has to be asked for. */
  readonly rest: readonly Condition[];
}

/** Both parts in the order of the filter, none of them an `and`; a filter is all of both together. */
export function splitByRange(condition: Condition | undefined, field: Field): ConditionsByRange {
  const conjuncts = conjunctsOf(condition);
  const isWithin = (conjunct: Condition) => rangedField(conjunct) === field;
  return {
    within: conjuncts.filter(isWithin),
    rest: conjuncts.filter((conjunct) => !isWithin(conjunct)),
  };
}

/** The field whose sort key a condition bounds to one stretch. */
function rangedField(condition: Condition): Field | undefined {
  switch (condition.kind) {
    case 'comparison': {
      const compared = numberWithConstant(condition);
      // Missing ones stand at the lower end, beside the least.
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

/** A missing decimal has a sort key, which is the least. */
function absentField({ term }: Extract<Condition, { readonly kind: 'absent' }>): Field | undefined {
  return isDecimal(term) && term.field.isNullable ? term.field : undefined;
}

/**
 * Whether the filter leaves few rows in all likelihood, which an index finds, and the planner knows so: then its own plan
 * is better than to walk far. Values of an identifier, of a number that lists are ordered by, or of a text with an index.
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

/** Whether the filter leaves no rows but those of listed values of a field. */
export function isAmong(condition: Condition | undefined, field: Field): boolean {
  return conjunctsOf(condition).some(
    (conjunct) => conjunct.kind === 'in' && conjunct.term.kind === 'field' && conjunct.term.field === field,
  );
}

/** Lists can be ordered by it, or it is an identifier. */
const isIndexedNumber = ({ queryName, name }: Field): boolean =>
  queryName !== undefined || name.endsWith('Id');

const isIndexedText = (text: Term, value: Term): boolean =>
  text.kind === 'field' && text.field.textIndex !== undefined && value.kind === 'value';

/**
 * Fields whose sort key is the same in every row that meets the filter: an order by them orders nothing. Not texts, which
 * may be equal without regard to case and yet differ.
 */
export function constantFields(condition: Condition | undefined): ReadonlySet<Field> {
  const fields = conjunctsOf(condition).map((conjunct) => {
    if (conjunct.kind === 'absent') return conjunct.isNegated ? undefined : absentField(conjunct);
    const isEqual = conjunct.kind === 'comparison' && conjunct.operator === 'eq' && !conjunct.orMissing;
    return isEqual ? numberWithConstant(conjunct)?.field : undefined;
  });
  return new Set(fields.filter((field) => field !== undefined));
}
