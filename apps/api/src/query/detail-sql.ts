import type { StoredDetail } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import { columnSql } from './field-sql.js';
import { servedConditions } from './identified-sql.js';
import type { Column } from './plan-columns.js';

/** A statement that gives one row, `row`, a JSON array of the columns, or none where there is no such object. */
export function detailSql({ source, pathParameters }: StoredDetail, columns: readonly Column[]): SQL {
  const read = sql.join(columns.map(columnSql), sql`, `);
  const conditions = servedConditions(source, pathParameters);
  const from = sql.join([sql`${source.table} AS ${source.alias}`, ...source.joins], sql` `);
  return sql`SELECT json_build_array(${read}) AS row FROM ${from} WHERE ${sql.join([...conditions], sql` AND `)}`;
}
