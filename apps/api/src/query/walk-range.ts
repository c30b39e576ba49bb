import type { Field } from '@takt/resources';
import {
  type ComparisonCondition,
  type Condition,
  decimalWithConstant,
  isConstant,
  isDecimal,
  type Term,
  termsOf,
} from './condition.js';

/** The conditions that a row must meet, each and all: a filter that is no `and` is one. */
export function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? condition.conditions.flatMap(conjunctsOf) : [condition];
}

/** The conjuncts of a filter, apart by what they mean to who reads the rows in the order of a field's sort key. */
export interface ConditionsByRange {
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
      // Missing ones stand at the lower end, beside the least.
      const isRange = condition.orMissing
        ? ['lt', 'le'].includes(operatorOf(condition))
        : condition.operator !== 'ne';
      return isRange ? comparedField(condition) : undefined;
    }
    case 'absent':
      return absentField(condition);
    case 'textRange':
      return condition.term.field;
    default:
      return undefined;
  }
}

const operatorOf = (comparison: ComparisonCondition) =>
  decimalWithConstant(comparison)?.operator ?? comparison.operator;

/** A missing decimal has a sort key, which is the least. */
function absentField({ term }: Extract<Condition, { readonly kind: 'absent' }>): Field | undefined {
  return isDecimal(term) && term.field.isNullable ? term.field : undefined;
}

/** The field that is compared with a value as it is indexed. */
function comparedField({ left, right }: ComparisonCondition): Field | undefined {
  return indexedBeside(left, right) ?? indexedBeside(right, left);
}

function indexedBeside(term: Term, other: Term): Field | undefined {
  if (term.kind !== 'field' || term.field.lookup !== undefined) return undefined;
  if (isDecimal(term)) return isConstant(other) ? term.field : undefined;
  // A whole number is looked up by whole numbers alone.
  const isWhole = other.kind === 'value' && other.type === 'bigint';
  return isWhole && term.field.type === 'integer' ? term.field : undefined;
}

/**
 * Whether the filter surely leaves few rows, which an index finds, and the planner knows so: then its own plan is better
 * than to walk the order. Values of an identifier, of a number that lists are ordered by, or of a text with an index.
 */
export function isNarrow(condition: Condition | undefined): boolean {
  return conjunctsOf(condition).some((conjunct) => {
    switch (conjunct.kind) {
      case 'comparison':
        if (conjunct.operator !== 'eq' || conjunct.orMissing) return false;
        return isPicked(comparedField(conjunct)) || isIndexedText(conjunct.left, conjunct.right);
      case 'in':
        return isPicked(listedField(conjunct));
      case 'textMatch':
        return !conjunct.isInRange && isIndexedText(conjunct.text, conjunct.part);
      case 'textRange':
        return conjunct.isNarrow;
      default:
        return false;
    }
  });
}

function listedField({ term, type }: Extract<Condition, { readonly kind: 'in' }>): Field | undefined {
  return isDecimal(term) || (term.kind === 'field' && type === 'bigint') ? term.field : undefined;
}

/** Whether there is an index by which rows with a certain number are found. */
function isPicked(field: Field | undefined): boolean {
  if (field === undefined || field.lookup !== undefined) return false;
  if (field.type === 'integer' && field.name.endsWith('Id')) return true;
  return (field.type === 'integer' || field.type === 'decimal') && field.queryName !== undefined;
}

const isIndexedText = (text: Term, value: Term): boolean =>
  text.kind === 'field' && text.field.textIndex !== undefined && value.kind === 'value';

/**
 * Fields whose sort key is the same in every row that meets the filter: an order by them orders nothing. Not texts, which
 * may be equal without regard to case and yet differ.
 */
export function constantFields(condition: Condition | undefined): ReadonlySet<Field> {
  const fields = conjunctsOf(condition).map((conjunct) => {
    switch (conjunct.kind) {
      case 'comparison':
        return conjunct.operator === 'eq' && !conjunct.orMissing ? comparedField(conjunct) : undefined;
      case 'absent':
        return conjunct.isNegated ? undefined : absentField(conjunct);
      default:
        return undefined;
    }
  });
  return new Set(fields.filter((field) => field !== undefined));
}

/** Whether a value that a client sent stands in the filter: if none does, one plan of its statement is good for all. */
export function holdsValues(condition: Condition | undefined): boolean {
  if (condition === undefined) return false;
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.some(holdsValues);
    case 'not':
      return holdsValues(condition.condition);
    case 'constant':
      return false;
    case 'in':
    case 'textRange':
      return true;
    default:
      return termsOf(condition).some(holdsValue);
  }
}

function holdsValue(term: Term): boolean {
  switch (term.kind) {
    case 'field':
    case 'missing':
      return false;
    case 'value':
      return true;
    case 'call':
      return term.arguments.some(holdsValue);
    case 'arithmetic':
      return holdsValue(term.left) || holdsValue(term.right);
    case 'negative':
      return holdsValue(term.term);
  }
}
