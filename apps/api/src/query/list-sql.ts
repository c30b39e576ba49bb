import type { Field, ListResource } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import { columnSql, sortKeyAsJson, sortKeyOf, sourceOf } from './field-sql.js';
import { filterSql, likeLiteral } from './filter-sql.js';
import { servedConditions } from './identified-sql.js';
import { folded } from './operand-sql.js';
import { type ListShape, placeholders } from './plan.js';
import { type Direction, type OrderTerm, valueTypeOf } from './resolve-fields.js';

const value = (name: string): SQL => sql`${sql.placeholder(name)}`;
const companySql = sql`${value(placeholders.company)}::integer`;

/**
 * One statement, so one snapshot, that gives one row: `rows`, a JSON array of the page's rows in order, each an array
 * of the columns and then of what the row is ordered by; `size`, the exact number of rows of the list, or null; and of
 * a list with a parent `hasParent`, whether there is that.
 * A page that has a neighbour on its far side holds one row more: the last one where the page is read forward, the
 * first one where it is read backward (before, last).
 *
 * The rows are limited twice: to the most that a page can hold, a constant that the planner knows, and to what this
 * page holds. Of a limit that is bound it expects a tenth of the table, and would read and sort that.
 */
export function listSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const needsSize = shape.countsAll || shape.start === 'last';
  const rows = sql`coalesce(json_agg(json_build_array(${sql.join(
    [
      ...shape.columns.map((column) => columnSql(column, value(placeholders.language))),
      ...shape.order.map(({ field }, index) => sortKeyAsJson(field, sortColumn(index))),
    ],
    sql`, `,
  )}) ORDER BY ${orderBySql(shape.order, (index) => sortColumn(index))}), '[]'::json)`;
  const keys = shape.order.map(({ field }, index) => sql`${sortKeyOf(field)} AS ${sortColumn(index)}`);
  const read = sql`SELECT ${source.alias}.*, ${sql.join(keys, sql`, `)} FROM ${source.table} AS ${source.alias}${whereSql(resource, shape)} ORDER BY ${orderBySql(
    isBackward(shape) ? shape.order.map(reversed) : shape.order,
    (_, { field }) => sortKeyOf(field),
  )}${offsetSql(shape)} LIMIT ${sql.raw(String(shape.mostRows + 1))}`;
  const page = sql`(SELECT * FROM (${read}) AS most LIMIT ${limitSql(shape)}) AS ${source.alias}`;
  const joined = sql.join([page, ...source.joins.map((join) => sql`${join}`)], sql` `);
  const parent = parentSql(resource);
  if (!needsSize) return sql`SELECT ${rows} AS rows, NULL AS size${parent} FROM ${joined}`;
  return sql`WITH counted AS MATERIALIZED (SELECT ${sizeSql(resource, shape)} AS size) SELECT ${rows} AS rows, (SELECT size FROM counted) AS size${parent} FROM ${joined}`;
}

/** A list without rows is one of an object without them, or of no object. */
function parentSql({ parent }: ListResource): SQL {
  if (parent === undefined) return sql``;
  const { source, pathParameters } = parent;
  const conditions = sql.join([...servedConditions(source, pathParameters)], sql` AND `);
  return sql`, EXISTS (SELECT FROM ${source.table} AS ${source.alias} WHERE ${conditions}) AS "hasParent"`;
}

/** The exact number of rows of the list, all pages together. */
function sizeSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const isWhole = shape.condition === undefined && shape.searchedWords === 0;
  if (isWhole && source.sizeOf !== undefined) return sql`${source.sizeOf(companySql)}`;
  return sql`(SELECT count(*) FROM ${source.table} AS ${source.alias}${whereSql(resource, { ...shape, start: 'first' })})`;
}

function isBackward({ start }: ListShape): boolean {
  return start === 'before' || start === 'last';
}

function reversed({ field, direction }: OrderTerm): OrderTerm {
  return { field, direction: direction === 'asc' ? 'desc' : 'asc' };
}

/** Sort keys of the page's rows, named by their place in the order. */
const sortColumn = (index: number): SQL => sql`${sql.identifier(`sort_${index}`)}`;

const DIRECTIONS: Readonly<Record<Direction, SQL>> = { asc: sql` ASC`, desc: sql` DESC` };

function orderBySql(order: readonly OrderTerm[], expressionOf: (index: number, term: OrderTerm) => SQL): SQL {
  return sql.join(
    order.map((term, index) => sql`${expressionOf(index, term)}${DIRECTIONS[term.direction]}`),
    sql`, `,
  );
}

/** Older clients skip rows. Of an offset that is bound the planner expects a tenth of the table, even if it is 0. */
function offsetSql({ skips }: ListShape): SQL {
  return skips ? sql` OFFSET ${value(placeholders.skip)}::bigint` : sql``;
}

/** The last page holds what is left over by full pages before it. */
function limitSql({ start }: ListShape): SQL {
  const pageSize = sql`${value(placeholders.pageSize)}::bigint`;
  if (start !== 'last') return sql`${pageSize} + 1`;
  return sql`(SELECT CASE WHEN size = 0 THEN 0 ELSE (size - 1) % ${pageSize} + 2 END FROM counted)`;
}

function whereSql(resource: ListResource, shape: ListShape): SQL {
  const conditions = [
    ...servedConditions(resource.source, resource.pathParameters),
    ...(resource.parameters ?? []).flatMap(({ name, column }) =>
      column === undefined ? [] : sql`${column} = ${value(placeholders.own(name))}::text`,
    ),
  ];
  if (shape.condition !== undefined) {
    conditions.push(filterSql(shape.condition, (index) => value(placeholders.filterValue(index))));
  }
  if (shape.searchedWords > 0) conditions.push(searchSql(resource, shape.searchedWords));
  if (shape.start === 'after' || shape.start === 'before') conditions.push(beyondBoundarySql(shape));
  return conditions.length === 0 ? sql`` : sql` WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** The rows in which every word occurs, in whatever place of those that are searched. */
function searchSql({ searched, searchIndex }: ListResource, words: number): SQL {
  const sought = Array.from({ length: words }, (_, index) =>
    folded(sql`${value(placeholders.searchedWord(index))}::text`),
  );
  const found = sought.map((word) => {
    const places = searched.map((field) => sql`position(${word} IN ${folded(textOf(field))}) > 0`);
    return sql`(${sql.join(places, sql` OR `)})`;
  });
  const all = sql.join(found, sql` AND `);
  if (searchIndex === undefined) return all;
  const patterns = sought.map((word) => sql`'%' || ${likeLiteral(word)} || '%'`);
  return sql`(${searchIndex.matching(sql`ARRAY[${sql.join(patterns, sql`, `)}]`, all)})`;
}

/** What a search looks into: a number by its digits. */
function textOf(field: Field): SQL {
  return valueTypeOf(field) === 'text' ? sql`${sourceOf(field)}` : sql`${sourceOf(field)}::text`;
}

/** The rows on the far side of the boundary, in the direction of reading. */
function beyondBoundarySql(shape: ListShape): SQL {
  const order = isBackward(shape) ? shape.order.map(reversed) : shape.order;
  const terms = order.map(({ field, direction }, index) => ({
    key: sortKeyOf(field),
    bound: boundarySql(field, index),
    beyond: direction === 'asc' ? sql`>` : sql`<`,
    direction,
  }));
  const [first] = terms;
  if (first === undefined) throw new Error('an order ends with the key of the resource');
  if (terms.every(({ direction }) => direction === first.direction)) {
    const keys = sql.join(
      terms.map(({ key }) => key),
      sql`, `,
    );
    const bounds = sql.join(
      terms.map(({ bound }) => bound),
      sql`, `,
    );
    return sql`(${keys}) ${first.beyond} (${bounds})`;
  }
  // Mixed directions are no row comparison. The first line repeats what follows from the rest: an index can use it.
  const alternatives = terms.map(({ key, bound, beyond }, index) => {
    const ties = terms.slice(0, index).map((term) => sql`${term.key} = ${term.bound}`);
    return sql`(${sql.join([...ties, sql`${key} ${beyond} ${bound}`], sql` AND `)})`;
  });
  return sql`${first.key} ${first.beyond}= ${first.bound} AND (${sql.join(alternatives, sql` OR `)})`;
}

function boundarySql(field: OrderTerm['field'], index: number): SQL {
  const bound = value(placeholders.boundary(index));
  return valueTypeOf(field) === 'text' ? sql`${bound}::text` : sql`${bound}::bigint`;
}
