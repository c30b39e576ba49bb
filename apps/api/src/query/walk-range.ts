import type { Field } from '@takt/resources';
import { type Condition, isDecimal, numberWithConstant, storedOf, type Term, termsOf } from './condition.js';

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

/** Lists can be ordered by it, or it is an identifier. */
const isIndexedNumber = ({ queryName, name }: Field): boolean =>
  queryName !== undefined || name.endsWith('Id');

const isIndexedText = (text: Term, value: Term): boolean =>
  text.kind === 'field' && text.field.textIndex !== undefined && value.kind === 'value';

/** Decimals that are missing in every row that meets the filter. */
export function missingFields(condition: Condition | undefined): readonly Field[] {
  return conjunctsOf(condition).flatMap((conjunct) => missingField(conjunct) ?? []);
}

function missingField(conjunct: Condition): Field | undefined {
  return conjunct.kind === 'absent' && !conjunct.isNegated ? absentField(conjunct) : undefined;
}

/**
 * Fields whose sort key is the same in every row that meets the filter: an order by them orders nothing. Not texts, which
 * may be equal without regard to case and yet differ.
 */
export function constantFields(condition: Condition | undefined): ReadonlySet<Field> {
  const fields = conjunctsOf(condition).map((conjunct) =>
    conjunct.kind === 'comparison' && conjunct.operator === 'eq' && !conjunct.orMissing
      ? numberWithConstant(conjunct)?.field
      : missingField(conjunct),
  );
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
