import type { Field } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './plan-columns.js';

/** The column or expression of a field. Every field that is filtered or ordered by has one. */
export function sourceOf(field: Field): NonNullable<Field['source']> {
  if (field.source === undefined) throw new Error(`${field.name} is not read from the database`);
  return field.source;
}

/** Whether a field is stored as whole microhours and served as hours. */
export function isTime(field: Field): boolean {
  return field.type === 'decimal';
}

/**
 * What rows are ordered by, as the indexes have it: a missing time counts as -1, below all others, because times are
 * never negative. So a null comes first ascending and last descending, and a keyset is a plain row comparison. COALESCE
 * would say the same, but is no condition that PostgreSQL asks an index for where row-level security hides rows.
 */
export function sortKeyOf(field: Field): SQL {
  if (!field.isNullable) return sql`${sourceOf(field)}`;
  if (!isTime(field)) throw new Error(`${field.name} has no order for its missing values`);
  return sql`greatest(${sourceOf(field)}, -1)`;
}

/** What is read for a value of a row, as JSON takes it: numbers as they are stored, an instant as text in UTC. */
export function columnSql(column: Column, language: SQL): SQL {
  if (column.kind === 'description') {
    const { object, field } = column.domain;
    return sql`(SELECT coalesce(translations ->> ${language}::text, description) FROM takt.domain_values WHERE object = ${sql.raw(quoted(object))} AND field = ${sql.raw(quoted(field))} AND key = ${sourceOf(column.of)}::text)`;
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
