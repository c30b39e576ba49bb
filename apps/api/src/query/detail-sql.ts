import type { DetailResource } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import { columnSql } from './field-sql.js';
import { placeholders } from './plan.js';
import type { Column } from './plan-columns.js';

/** A statement that gives one row, `row`, a JSON array of the columns, or none where there is no such object. */
export function detailSql({ source, pathParameters }: DetailResource, columns: readonly Column[]): SQL {
  const language = sql`${sql.placeholder(placeholders.language)}`;
  const read = sql.join(
    columns.map((column) => columnSql(column, language)),
    sql`, `,
  );
  const conditions = pathParameters.map(
    ({ name, column }) => sql`${column} = ${sql.placeholder(placeholders.identifier(name))}::bigint`,
  );
  if (source.company !== undefined) {
    conditions.unshift(sql`${source.company} = ${sql.placeholder(placeholders.company)}::integer`);
  }
  if (source.condition !== undefined) conditions.push(sql`${source.condition}`);
  const from = sql.join([sql`${source.table} AS ${source.alias}`, ...source.joins], sql` `);
  return sql`SELECT json_build_array(${read}) AS row FROM ${from} WHERE ${sql.join(conditions, sql` AND `)}`;
}
