import type {
  ArithmeticOperator,
  ComparisonOperator,
  TextMatchKind,
  ValueFunctionName,
} from '@takt/query-options';
import type { Field, StoredDecimal } from '@takt/resources';
import type { ValueType } from './resolve-fields.js';

/** How a value is bound. */
export type BoundType = 'bigint' | 'numeric' | 'text' | 'boolean';

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
export interface TextRange {
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

/** The terms directly inside of a condition. */
export function termsOf(condition: SimpleCondition): readonly Term[] {
  switch (condition.kind) {
    case 'absent':
    case 'in':
    case 'textRange':
      return [condition.term];
    case 'comparison':
      return [condition.left, condition.right];
    case 'textMatch':
      return [condition.text, condition.part];
  }
}

/** Every field that a term is made of. */
export function fieldsIn(term: Term): readonly Field[] {
  switch (term.kind) {
    case 'field':
      return [term.field];
    case 'value':
    case 'missing':
      return [];
    case 'call':
      return term.arguments.flatMap(fieldsIn);
    case 'arithmetic':
      return [...fieldsIn(term.left), ...fieldsIn(term.right)];
    case 'negative':
      return fieldsIn(term.term);
  }
}

/** Whether a term is the same for all rows. */
export const isConstant = (term: Term): boolean => fieldsIn(term).length === 0;

/** Whether a term may be missing: a field, or what is made of a missing one or divided by zero. */
export function mayBeMissing(term: Term): boolean {
  switch (term.kind) {
    case 'field':
      return term.field.isNullable || term.field.lookup !== undefined;
    case 'value':
      return false;
    case 'missing':
      return true;
    case 'call':
      return term.arguments.some(mayBeMissing);
    case 'arithmetic':
      return ['div', 'mod'].includes(term.operator) || mayBeMissing(term.left) || mayBeMissing(term.right);
    case 'negative':
      return mayBeMissing(term.term);
  }
}

export interface DecimalTerm {
  readonly kind: 'field';
  readonly field: Field & { readonly stored: StoredDecimal };
}

export const isDecimal = (term: Term): term is DecimalTerm =>
  term.kind === 'field' && term.field.stored !== undefined;

/** The same comparison with its sides exchanged. */
const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

/** A number as it is stored and indexed, with what is the same for all rows. */
export interface NumberWithConstant {
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
