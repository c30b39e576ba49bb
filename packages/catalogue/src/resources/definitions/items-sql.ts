import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type Collection, type Field, type Group, leavesOf } from '../field.js';

interface ItemRows {
  /**
   * The table from which the items are read, in the form of a FROM item. The fields of an item are read from its
   * columns.
   */
  readonly table: SQLWrapper;
  readonly alias: SQLWrapper;
  readonly where: SQLWrapper;
  /**
   * A join of the form LEFT JOIN ... ON ..., which finds at most one row for each item. Absent if nothing is joined.
   */
  readonly join?: SQLWrapper;
  /**
   * The field by which items are sorted, in descending order. It is used only if the items show this field, because
   * otherwise the order would reveal hidden values.
   */
  readonly highestFirst?: Field;
  /** The order of items that have the same value of highestFirst. No two items may be equal in it. */
  readonly orderBy: SQLWrapper;
  /** The maximum number of items. It keeps the object small; the remaining rows can be read from a list. */
  readonly limit: number;
}

/**
 * Returns the SQL of a collection. It is a JSON array that contains an array for each row, with the values of the
 * fields in order; null if there are no rows. Values that are stored in whole units, such as microhours, become
 * decimals.
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
