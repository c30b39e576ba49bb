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
 * Rewrites a filter into an equivalent filter for which PostgreSQL can make better use of indexes:
 * - A negation is moved into the comparisons inside it, if possible.
 * - An `and` directly inside an `and` is merged with the outer one, and likewise an `or` inside an `or`.
 * - A test for the start of a text gets an additional condition: a range of texts.
 */
export function optimiseFilter({ condition, values }: ResolvedFilter): ResolvedFilter {
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

/**
 * The comparison that is true exactly when the given comparison is not true, even if a value is missing. Returns
 * undefined if no such comparison exists.
 */
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

/** True for a text column of the list by which the list can be sorted. */
const isOrderedText = (term: Term): term is FieldTerm =>
  term.kind === 'field' &&
  term.field.type === 'text' &&
  term.field.queryName !== undefined &&
  term.field.lookup === undefined;

/** If a condition tests for the start of a sortable text, adds a condition that limits the text to a range. */
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
 * Digits and letters in the order of the ICU root collation. The character that follows here sorts after its
 * predecessor, so it gives the upper bound of a range. The last character is Greek, because Greek follows all Latin
 * letters.
 */
const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz\u03b1';

/** If a prefix has at least this number of characters, probably only few texts start with it. */
const NARROW = 3;

interface PrefixRange {
  readonly from: string;
  readonly until: string;
  /** True if probably only few texts are in the range. */
  readonly isNarrow: boolean;
  /** True if the range was made from the complete prefix. */
  readonly isWhole: boolean;
}

/**
 * Finds a range of texts that contains every text starting with the prefix, ignoring case. The range may contain other
 * texts too. It is a range of the ICU root collation, by which texts are sorted. Returns undefined if no such range
 * exists.
 * The range is made from the printable ASCII characters at the start of the prefix, up to the last letter or digit
 * among them. Each of these characters has its own primary weight, is not ignored, and starts no contraction. So the
 * primary weights of every matching text start with the weights of this part of the prefix.
 * Lower bound: several characters fold to the same lower-case letter and share its primary weight (Kelvin's K, a long
 * s, a ligature); the lower-case letter is the least of them. So no matching text is less than the prefix in lower
 * case.
 * Upper bound: all texts that start with these primary weights are less than a text whose last weight is greater.
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
