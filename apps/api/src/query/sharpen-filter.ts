import type { ComparisonOperator } from '@takt/query';
import {
  type BoundValue,
  type ComparisonCondition,
  type Condition,
  type FieldTerm,
  mayBeMissing,
  numberWithConstant,
  type ResolvedFilter,
  type SimpleCondition,
  type Term,
} from './condition.js';

type TextMatch = Extract<SimpleCondition, { readonly kind: 'textMatch' }>;

/**
 * The same filter, met by the same rows, in a form that PostgreSQL can ask more of its indexes for. `not` stands before
 * what is compared only where nothing says the opposite; a junction holds none of its own kind; the start of a text is
 * also a range of texts.
 */
export function sharpenFilter({ condition, values }: ResolvedFilter): ResolvedFilter {
  const bound: BoundValue[] = [...values];
  const met = (inner: Condition): Condition => {
    switch (inner.kind) {
      case 'and':
      case 'or':
        return junction(inner.kind, inner.conditions.map(met));
      case 'not':
        return unmet(inner.condition);
      case 'textMatch':
        return inRange(inner, bound);
      default:
        return inner;
    }
  };
  const unmet = (inner: Condition): Condition => {
    switch (inner.kind) {
      case 'and':
        return junction('or', inner.conditions.map(unmet));
      case 'or':
        return junction('and', inner.conditions.map(unmet));
      case 'not':
        return met(inner.condition);
      case 'constant':
        return { kind: 'constant', holds: !inner.holds };
      case 'absent':
        return { ...inner, isNegated: !inner.isNegated };
      case 'comparison':
        return opposite(inner) ?? { kind: 'not', condition: inner };
      default:
        return { kind: 'not', condition: inner };
    }
  };
  return { condition: met(condition), values: bound };
}

function junction(kind: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((condition) =>
    condition.kind === kind ? condition.conditions : [condition],
  );
  const [only, another] = flat;
  return only !== undefined && another === undefined ? only : { kind, conditions: flat };
}

const OPPOSITE: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  eq: 'ne',
  ne: 'eq',
  lt: 'ge',
  le: 'gt',
  gt: 'le',
  ge: 'lt',
};

/** A comparison of numbers that holds where this one does not, if it is known what is missing. */
function opposite(comparison: ComparisonCondition): Condition | undefined {
  const { left, right, operator, type } = comparison;
  if (type !== 'number') return undefined;
  const turned = { ...comparison, operator: OPPOSITE[operator] };
  if (!mayBeMissing(left) && !mayBeMissing(right)) return turned;
  const compared = numberWithConstant(comparison);
  return compared === undefined || mayBeMissing(compared.constant)
    ? undefined
    : { ...turned, orMissing: true };
}

/** A text of the list itself that its rows can be ordered by. */
const isOrderedText = (term: Term): term is FieldTerm =>
  term.kind === 'field' &&
  term.field.type === 'text' &&
  term.field.queryName !== undefined &&
  term.field.lookup === undefined;

/** The start of a text that lists are ordered by is besides asked for as a range. */
function inRange(match: TextMatch, values: BoundValue[]): Condition {
  const { text: term, part } = match;
  if (match.match !== 'startswith' || !isOrderedText(term) || part.kind !== 'value') return match;
  const range = rangeOfPrefix(String(values[part.value]));
  if (range === undefined) return match;
  const { isNarrow, isWhole } = range;
  const [from, until] = [values.push(range.from) - 1, values.push(range.until) - 1];
  const inside: Condition = { kind: 'textRange', term, from, until, isNarrow };
  return { kind: 'and', conditions: [inside, { ...match, isInRange: isWhole }] };
}

/**
 * Letters and digits in the order of the ICU root collation, each with the next one of the order or a later one: Greek
 * follows all of Latin.
 */
const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz\u03b1';

/** Behind so many characters few texts are to be expected. */
const NARROW = 3;

interface PrefixRange {
  readonly from: string;
  readonly until: string;
  /** Whether few texts are to be expected in it. */
  readonly isNarrow: boolean;
  /** Whether it goes by all of the part. */
  readonly isWhole: boolean;
}

/**
 * A range of the ICU root collation, in which texts are ordered, that has every text which starts with a part without
 * regard to case, and some more; undefined for a part of which none is known.
 *
 * It goes by the printable characters of ASCII at the start of the part, up to the last letter or digit. Each of these has
 * a primary weight of its own, is not ignored, and begins no contraction: so whatever follows in a text, its primary
 * weights begin with theirs. A letter in lower case is the least of all that fold to it (Kelvin's K, a long s, a ligature),
 * which have its primary weight: nothing that starts with the part is less than it is in lower case. And all that begins
 * with the primary weights is less than what has a greater one in the place of the last.
 */
export function rangeOfPrefix(part: string): PrefixRange | undefined {
  const from = /^[ -~]*[0-9a-z]/i.exec(part)?.[0].toLowerCase();
  if (from === undefined) return undefined;
  const next = CHARACTERS[CHARACTERS.indexOf(from.slice(-1)) + 1];
  return {
    from,
    until: `${from.slice(0, -1)}${next}`,
    isNarrow: from.length >= NARROW,
    isWhole: from.length === part.length,
  };
}
