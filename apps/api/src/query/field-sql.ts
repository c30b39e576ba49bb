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

/**
 * What is read for a value of a row, as JSON takes it: numbers as they are stored, an instant as text in UTC. All
 * descriptions of a domain are read once a statement: looked up row by row they cost as much as the rest of a page.
 */
export function columnSql(column: Column, language: SQL): SQL {
  if (column.kind === 'description') {
    const { object, field } = column.domain;
    const descriptions = sql`SELECT jsonb_object_agg(key, coalesce(translations ->> ${language}::text, description)) FROM takt.domain_values WHERE object = ${sql.raw(quoted(object))} AND field = ${sql.raw(quoted(field))}`;
    return sql`(${descriptions}) ->> ${sourceOf(column.of)}::text`;
  }
  const { node } = column;
  if (node.source === undefined) throw new Error(`${node.name} is not read from the database`);
  if (node.kind === 'field' && node.type === 'instant') {
    return sql`to_char(${node.source} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  }
  return sql`${node.source}`;
}

/** A constant of a definition, never of a client. */
function quoted(constant: string): string {
  return `'${constant.replaceAll("'", "''")}'`;
}
