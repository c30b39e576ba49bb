import type { Field } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';

/** What a field's values are compared as. */
export type ValueType = 'number' | 'text' | 'boolean';

export function valueTypeOf(field: Field): ValueType {
  switch (field.type) {
    case 'integer':
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'text':
    case 'instant':
    case 'link':
      return 'text';
  }
}

/** The column or expression of a field. Every field that is filtered or ordered by has one. */
export function sourceOf(field: Field): NonNullable<Field['source']> {
  if (field.source === undefined) throw new Error(`${field.name} is not read from the database`);
  return field.source;
}

/**
 * What rows are ordered by, as the indexes have it: a missing number counts as -1, below all others, because figures
 * are never negative. So a null comes first ascending and last descending, and a keyset is a plain row comparison.
 */
export function sortKeyOf(field: Field): SQL {
  if (!field.isNullable) return sql`${sourceOf(field)}`;
  if (valueTypeOf(field) !== 'number') throw new Error(`${field.name} has no order for its missing values`);
  return sql`coalesce(${sourceOf(field)}, -1)`;
}
