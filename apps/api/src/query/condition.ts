import type {
  ArithmeticOperator,
  ComparisonOperator,
  TextMatchKind,
  ValueFunctionName,
} from '@takt/query-options';
import type { Field } from '@takt/resources';
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
    }
  | { readonly kind: 'in'; readonly type: BoundType; readonly term: Term; readonly values: number }
  | {
      readonly kind: 'textMatch';
      readonly match: TextMatchKind;
      readonly text: Term;
      readonly part: Term;
    };

export type Term =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'value'; readonly type: BoundType; readonly value: number }
  | { readonly kind: 'call'; readonly function: ValueFunctionName; readonly arguments: readonly Term[] }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Term;
      readonly right: Term;
    }
  | { readonly kind: 'negative'; readonly term: Term };

/** What is bound: a text that PostgreSQL reads as the type, or a list of them. */
export type BoundValue = string | null | readonly string[];

/** The terms directly inside of a condition. */
export function termsOf(condition: SimpleCondition): readonly Term[] {
  switch (condition.kind) {
    case 'absent':
    case 'in':
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
      return [];
    case 'call':
      return term.arguments.flatMap(fieldsIn);
    case 'arithmetic':
      return [...fieldsIn(term.left), ...fieldsIn(term.right)];
    case 'negative':
      return fieldsIn(term.term);
  }
}
