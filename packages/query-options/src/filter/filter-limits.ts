import { limits } from '../limits.js';
import { QueryOptionError } from '../query-option-error.js';
import { childrenOf } from './children-of.js';
import type { FilterExpression, Operand } from './filter-expression.js';

/** One level further in. Asked before every descent, so that no text can exhaust the stack. */
export function deeper(depth: number): number {
  if (depth >= limits.filterDepth) {
    throw tooLarge('depth', limits.filterDepth);
  }
  return depth + 1;
}

/** Asked before a value is added to a list of so many. */
export function checkRoomForValue(count: number): void {
  if (count >= limits.listValues) {
    throw tooLarge('values', limits.listValues);
  }
}

/** Counts the finished tree, in which junctions of one kind have become one node. */
export function checkNodes(expression: FilterExpression): void {
  if (countNodes(expression) > limits.filterNodes) {
    throw tooLarge('nodes', limits.filterNodes);
  }
}

function countNodes(node: FilterExpression | Operand): number {
  return childrenOf(node).reduce((count, child) => count + countNodes(child), 1);
}

function tooLarge(measure: 'depth' | 'nodes' | 'values', limit: number): QueryOptionError {
  return new QueryOptionError('expressionTooLarge', { parameter: '$filter', measure, limit: String(limit) });
}
