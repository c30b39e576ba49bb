import fc from 'fast-check';
import { compareText } from './compare-text.js';
import type { ModelRow } from './model-filter.js';

export interface ModelOrder {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export const DIRECTIONS = ['asc', 'desc'] as const;

/** Generates orders by these fields, each with a random direction. */
export function orderArbitrary(fields: fc.Arbitrary<readonly string[]>): fc.Arbitrary<readonly ModelOrder[]> {
  return fields.chain((names) =>
    fc.tuple(
      ...names.map((field) =>
        fc.record({ field: fc.constant(field), direction: fc.constantFrom(...DIRECTIONS) }),
      ),
    ),
  );
}

/** Returns the order as a text for `$orderby`. */
export function printOrder(order: readonly ModelOrder[]): string {
  return order.map(({ field, direction }) => `${field} ${direction}`).join(',');
}

/**
 * Compares two rows by the rules of the specification. A missing value comes first in ascending and last in descending
 * order. Returns 0 for a tie.
 */
export function compareRows(order: readonly ModelOrder[], one: ModelRow, other: ModelRow): number {
  for (const { field, direction } of order) {
    const compared = compareValues(one.values[field] ?? null, other.values[field] ?? null);
    if (compared !== 0) return direction === 'asc' ? compared : -compared;
  }
  return 0;
}

function compareValues(one: bigint | string | null, other: bigint | string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  return one < other ? -1 : 1;
}
