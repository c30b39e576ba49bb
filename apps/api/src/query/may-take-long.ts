import { is, Table } from 'drizzle-orm';
import { type Condition, type Term, termsOf } from './condition.js';
import type { Plan } from './plan.js';
import { isSortedByIndex, sortingTermsOf } from './sorting-terms.js';

/** Rows that a walk reads, times what it asks each of them: 100 to 200 ms of the database at most. */
const MOST_CHECKS = 150_000;

/**
 * Whether the statement of a plan may look at every row of its list. It need not: a filter of a small table takes a
 * millisecond. No other statement takes long, however many rows there are.
 */
export function mayTakeLong(plan: Plan): boolean {
  if (plan.kind === 'detail') return false;
  const { question, shape } = plan;
  const { source } = question.resource;
  const { condition, reading } = shape;
  const isSearched = shape.searchedWords > 0;
  const isSizeKept = source.sizeOf !== undefined && condition === undefined && !isSearched;
  if (isSearched || shape.skips || (shape.counts && !isSizeKept)) return true;
  if (reading.kind === 'walk') {
    return reading.length * (condition === undefined ? 1 : partsOf(condition)) > MOST_CHECKS;
  }
  if (condition !== undefined || reading.kind === 'sifted') return true;
  // What a function makes has no index.
  return !is(source.table, Table) || !isSortedByIndex(sortingTermsOf(question.resource, shape), 0);
}

/** What is evaluated for a row: comparisons, operators, functions and what they are of. */
function partsOf(node: Condition | Term): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return sum(node.conditions);
    case 'not':
      return 1 + partsOf(node.condition);
    case 'call':
      return 1 + sum(node.arguments);
    case 'arithmetic':
      return 1 + sum([node.left, node.right]);
    case 'negative':
      return 1 + partsOf(node.term);
    case 'field':
    case 'value':
    case 'missing':
    case 'constant':
      return 1;
    default:
      return 1 + sum(termsOf(node));
  }
}

const sum = (nodes: readonly (Condition | Term)[]): number =>
  nodes.reduce((parts, node) => parts + partsOf(node), 0);
