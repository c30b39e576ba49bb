import { type Field, isMissingWith, type ListResource } from '@takt/resources';
import type { ListShape } from './plan.js';
import type { Direction, OrderTerm } from './resolve-fields.js';
import { constantFields, missingFields } from './walk-range.js';

/** What sorts rows, in the direction in which a page is read. */
export interface SortingTerm extends OrderTerm {
  /** In the order of the list: a row and a page key have a sort key for each place of that. */
  readonly place: number;
}

/**
 * As much of an order as it takes to sort the rows that a filter leaves, its last term the key: what has the same value
 * in all of them sorts nothing, and nothing is left to sort behind the key. Of a walk, as much as it takes inside of the
 * groups that it has reached: what is missing together sorts nothing in there.
 */
export function sortingTermsOf({ key }: ListResource, shape: ListShape): readonly SortingTerm[] {
  const { condition, order, reading } = shape;
  const constants = constantFields(condition);
  const missing = missingFields(condition);
  const reached = reading.kind === 'walk' ? reading.missing : [];
  const isConstant = (field: Field, place: number) =>
    constants.has(field) ||
    missing.some((other) => isMissingWith(field, other)) ||
    order.some((before, at) => at < place && reached.includes(at) && isMissingWith(field, before.field));
  const last = order.findIndex(({ field }) => field === key);
  return order.flatMap(({ field, direction }, place) =>
    place > last || (field !== key && isConstant(field, place))
      ? []
      : [{ field, direction: isBackward(shape) ? OPPOSITES[direction] : direction, place }],
  );
}

/** The fields that are missing in every row of the groups that a walk has reached. */
export function missingInside({ condition, order, reading }: ListShape): readonly Field[] {
  const reached = reading.kind === 'walk' ? reading.missing : [];
  return [
    ...missingFields(condition),
    ...order.flatMap(({ field }, place) => (reached.includes(place) ? [field] : [])),
  ];
}

/** Whether the rows are read from the far end on: in the end a page holds the last of them. */
export function isBackward({ start }: Pick<ListShape, 'start'>): boolean {
  return start === 'before' || start === 'last';
}

const OPPOSITES: Readonly<Record<Direction, Direction>> = { asc: 'desc', desc: 'asc' };

/** Whether the index of a term, which ends with the key, has the rows of one group of the terms before it in their order. */
export function isSortedByIndex(terms: readonly SortingTerm[], depth: number): boolean {
  const [term, next, ...others] = terms.slice(depth);
  if (term?.field.isUnindexed === true) return false;
  return others.length === 0 && (next === undefined || next.direction === term?.direction);
}
