import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './plan-columns.js';
import { sourceOf } from './sort-key.js';

/** What is read for a place of a row, as JSON takes it: numbers as they are, an instant as text in UTC. */
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
