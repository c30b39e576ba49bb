import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type Collection, type Field, type Group, leavesOf } from '../field.js';

interface ItemRows {
  /** With its alias, as in FROM; an item's fields are its columns. */
  readonly table: SQLWrapper;
  readonly alias: SQLWrapper;
  readonly where: SQLWrapper;
  /** LEFT JOIN ... ON ..., with at most one row per item; absent: none. */
  readonly join?: SQLWrapper;
  /** Sorts by this field, descending, if the item shows it: the order would reveal a hidden field. */
  readonly highestFirst?: Field;
  /** Makes the order total. */
  readonly orderBy: SQLWrapper;
  /** Keeps an object small; the other rows are in a list. */
  readonly limit: number;
}

/**
 * SQL for a collection of rows: a JSON array of arrays with the values of the fields in order; null if there are none.
 * Stored whole units, such as microhours, become decimals.
 */
export function itemsSql(rows: ItemRows): NonNullable<Collection['source']> {
  return (item) => arrayOf(item, rows);
}

function arrayOf(
  item: Group,
  { table, alias, where, join = sql``, highestFirst, orderBy, limit }: ItemRows,
): SQL {
  const leaves = leavesOf([item]).map(({ node }) => node);
  const values = leaves.map((node) => {
    if (node.kind === 'collection' || node.source === undefined || node.type === 'instant') {
      throw new Error(`${node.name} cannot be read inside of an item`);
    }
    if (node.stored === undefined) return sql`${node.source}`;
    return sql`${node.source} * ${sql.raw(String(10 ** -node.stored.decimals))}`;
  });
  const order =
    highestFirst?.source !== undefined && leaves.includes(highestFirst)
      ? sql`${highestFirst.source} DESC NULLS LAST, ${orderBy}`
      : sql`${orderBy}`;
  const rows = sql`SELECT * FROM ${table} AS ${alias} WHERE ${where} ORDER BY ${order} LIMIT ${sql.raw(String(limit))}`;
  return sql`(SELECT json_agg(json_build_array(${sql.join(values, sql`, `)}) ORDER BY ${order}) FROM (${rows}) AS ${alias} ${join})`;
}
