import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type Collection, type Field, type Group, leavesOf } from '../field.js';

interface ItemRows {
  /** With its alias, as in FROM; the fields of an item are columns of it. */
  readonly table: SQLWrapper;
  readonly alias: SQLWrapper;
  readonly where: SQLWrapper;
  /** LEFT JOIN ... ON ..., of at most one row for each item; absent: none. */
  readonly join?: SQLWrapper;
  /** The items with the highest values come first, if the item shows the field: an order would tell of a hidden one. */
  readonly highestFirst?: Field;
  /** Makes the order total. */
  readonly orderBy: SQLWrapper;
  /** No object is so large that it could not be read at once: what is beyond stands in a list. */
  readonly limit: number;
}

/**
 * The items of a collection that are rows of a table: a JSON array of arrays, each with the values of an item in the order
 * of its fields; null where there are none. What is stored in whole units, as microhours, is a decimal in here.
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
