import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type Collection, type Field, type Group, leavesOf } from '../field.js';

interface ItemRows {
  /** The table that items are read from, as in FROM; its columns are the source of the item's fields. */
  readonly table: SQLWrapper;
  readonly alias: SQLWrapper;
  readonly where: SQLWrapper;
  /** LEFT JOIN ... ON ..., with at most one row per item; absent: none. */
  readonly join?: SQLWrapper;
  /**
   * A field that items are sorted by, descending. It is used only if the item shows the field: otherwise the order
   * would reveal hidden values.
   */
  readonly highestFirst?: Field;
  /** Sorts the items that are still equal, so that the order is total. */
  readonly orderBy: SQLWrapper;
  /** Most items, so that an object stays small; a list has the other rows. */
  readonly limit: number;
}

/**
 * SQL for a collection of rows: a JSON array with an array per row, which has the values of the fields in order; null
 * if there are no rows. Values stored in whole units, such as microhours, become decimals.
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
