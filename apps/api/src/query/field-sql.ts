import type { Field, StoredDecimal } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './plan-columns.js';

/** The column or expression of a field. Every field that is filtered or ordered by has one. */
export function sourceOf(field: Field): NonNullable<Field['source']> {
  if (field.source === undefined) throw new Error(`${field.name} is not read from the database`);
  return field.source;
}

/**
 * What rows are ordered by, as the indexes have it: a missing decimal counts as less than any that there can be, which is
 * -1 where none is negative, and else the least bigint. So a null comes first ascending and last descending, and a keyset
 * is a plain row comparison. COALESCE would say the same, but is no condition that PostgreSQL asks an index for where
 * row-level security hides rows.
 */
export function sortKeyOf(field: Field): SQL {
  if (!field.isNullable) return sql`${sourceOf(field)}`;
  if (field.stored === undefined) throw new Error(`${field.name} has no order for its missing values`);
  return field.stored.isSigned
    ? sql`greatest(${sourceOf(field)}, '-9223372036854775808'::bigint)`
    : sql`greatest(${sourceOf(field)}, -1)`;
}

/** The sort key of a missing decimal, which is less than any other. */
export function missingKeyOf({ isSigned }: StoredDecimal): SQL {
  return isSigned ? sql`'-9223372036854775808'::bigint` : sql`'-1'::bigint`;
}

/** Whether a sort key, as JSON keeps it, is that of a missing decimal. */
export function isMissingKey({ isNullable, stored }: Field, sortKey: unknown): boolean {
  return isNullable && sortKey === (stored?.isSigned ? '-9223372036854775808' : -1);
}

/** A sort key as JSON keeps it: one that may have more digits than a JavaScript number holds is text. */
export function sortKeyAsJson(field: Field, sortKey: SQL): SQL {
  return field.stored?.isSigned ? sql`${sortKey}::text` : sortKey;
}

/** What is read for a value of a row, as JSON takes it: numbers as they are stored, an instant as text in UTC. */
export function columnSql(column: Column): SQL {
  if (column.kind === 'collection') {
    if (column.source === undefined) throw new Error(`${column.name} is not read from the database`);
    return sql`${column.source(column.item())}`;
  }
  const source = sourceOf(column);
  if (column.type !== 'instant') return sql`${source}`;
  return sql`to_char(${source} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}
