import {
  type Field,
  isNothingWith,
  type ListResource,
  type PathParameter,
  type Source,
  type StoredDetail,
} from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import { type Condition, missingFields, splitByRange } from './condition.js';
import { filterSql, likeLiteral } from './filter-sql.js';
import { columnSql, folded, missingKeyOf, sortKeyAsJson, sortKeyOf, sourceOf } from './operand-sql.js';
import type { Column } from './outline.js';
import {
  isSortedByIndex,
  type ListShape,
  missingInside,
  placeholders,
  type SortingTerm,
  sortingTermsOf,
  type Walk,
} from './plan.js';
import { type Direction, type OrderTerm, valueTypeOf } from './resolve-fields.js';

/**
 * One statement, so one snapshot, that gives one row: `rows`, a JSON array of the page's rows in order, each an array
 * of the columns and then of what the row is ordered by; `size`, the exact number of rows of the list, or null; of
 * a list with a parent `hasParent`, whether there is that; and of a walk `ended`, where it has come to.
 * A page that has a neighbour on its far side holds one row more: the last one where the page is read forward, the
 * first one where it is read backward (before, last). A walk holds two, for one of them may be its end.
 *
 * The rows are limited twice: to the most that a page can hold, a constant that the planner knows, and to what this
 * page holds. Of a limit that is bound it expects a tenth of the table, and would read and sort that.
 */
export function listSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const { reading } = shape;
  const isWalk = reading.kind === 'walk';
  const keys = shape.order.map(({ field }, place) => sortKeyAsJson(field, sortColumn(place)));
  const columns = shape.columns.map(columnSql);
  const inOrder = orderBySql(shape.order, (_, place) => sortColumn(place));
  const rows = sql`coalesce(json_agg(json_build_array(${sql.join([...columns, ...keys], sql`, `)}) ORDER BY ${inOrder})${
    isWalk ? sql` FILTER (WHERE NOT ${IS_END})` : sql``
  }, '[]'::json)`;
  const ended = isWalk
    ? sql`, (json_agg(json_build_array(${sql.join(keys, sql`, `)})) FILTER (WHERE ${IS_END})) -> 0 AS ended`
    : sql``;
  const more = isWalk ? 2 : 1;
  const most = sql`${readSql(resource, shape)} LIMIT ${sql.raw(String(shape.mostRows + more))}`;
  const limited = sql`SELECT * FROM (${most}) AS most LIMIT ${value(placeholders.pageSize)}::bigint + ${sql.raw(String(more))}`;
  const isOfKeys = isWalk ? reading.reads === 'keys' : reading.kind === 'sifted';
  const page = sql`(${isOfKeys ? wholeRowsSql(resource, shape, limited) : limited}) AS ${source.alias}`;
  const joined = sql.join([page, ...source.joins.map((join) => sql`${join}`)], sql` `);
  const size = shape.counts ? sizeSql(resource, shape) : sql`NULL`;
  return sql`SELECT ${rows} AS rows${ended}, ${size} AS size${parentSql(resource)} FROM ${joined}`;
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
  if (isWhole && source.sizeOf !== undefined) {
    return sql`${source.sizeOf(sql`${value(placeholders.company)}::integer`)}`;
  }
  return sql`(SELECT count(*) FROM ${source.table} AS ${source.alias}${whereSql(askedConditions(resource, shape))})`;
}

/** The rows of a page with their sort keys, in order, up to its limit. */
function readSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const { reading } = shape;
  const terms = sortingTermsOf(resource, shape);
  if (reading.kind === 'walk') return walkSql(resource, shape, terms, reading);
  const conditions = [...askedConditions(resource, shape)];
  if (shape.start === 'after' || shape.start === 'before') conditions.push(beyondBoundarySql(terms, keyOf));
  const table = sql`${source.table} AS ${source.alias}${whereSql(conditions)}`;
  if (reading.kind === 'sifted') return siftSql(resource, shape, terms, table);
  return sql`SELECT ${source.alias}.*, ${sortKeysSql(shape)} FROM ${table} ORDER BY ${orderBySql(terms, keyOf)}${offsetSql(shape)}`;
}

/**
 * Of all rows that the filter leaves what sorts them, and then the first ones: whole rows would take twice as long to
 * sort. An offset keeps the planner from reading the order's index until enough rows pass the filter.
 */
function siftSql({ key }: ListResource, shape: ListShape, terms: readonly SortingTerm[], table: SQL): SQL {
  const fence = shape.condition === undefined ? sql`` : sql` OFFSET 0`;
  const found = sql`SELECT ${sortKeyOf(key)} AS ${FOUND_KEY}, ${sortKeysSql(shape)} FROM ${table}${fence}`;
  return sql`SELECT * FROM (${found}) AS sifted ORDER BY ${orderBySql(terms, columnOf)}`;
}

const FOUND_KEY = sql`found_key`;

/** The rows of which the keys were found. */
function wholeRowsSql(resource: ListResource, shape: ListShape, found: SQL): SQL {
  const { source, key } = resource;
  const conditions = [...listedConditions(resource), sql`${sortKeyOf(key)} = ${FOUND_KEY}`];
  return sql`SELECT ${source.alias}.*, ${sortColumnsOf(shape)} FROM (${found}) AS found, ${source.table} AS ${source.alias}${whereSql(conditions)}`;
}

/**
 * Rows along the index of one field, and of those the ones of the page. The limit stands between: PostgreSQL can neither
 * ask the filter before it, nor find the rows by anything but the order, and it stops where the page is full.
 * One row more than the walk may read is its end. It passes every filter and comes before the rows of the page that have
 * the same walked key, for of these there may be more behind it.
 */
function walkSql(
  resource: ListResource,
  shape: ListShape,
  terms: readonly SortingTerm[],
  { depth, length, reads, from }: Walk,
): SQL {
  const { source, key } = resource;
  const [walked, ...others] = terms.slice(depth);
  if (walked === undefined) throw new Error(`nothing sorts ${resource.path} at ${depth}`);
  const along = walked.field === key ? [walked] : [walked, { field: key, direction: walked.direction }];
  const alongSql = orderBySql(along, keyOf);
  const { inside, outside } = walkConditions(resource, shape, terms.slice(0, depth), {
    walked,
    others,
    from,
  });
  const walk = sql`SELECT ${source.alias}.*, ${sortKeysSql(shape)}, row_number() OVER (ORDER BY ${alongSql}) > ${sql.raw(String(length))} AS ${IS_END} FROM ${source.table} AS ${source.alias}${whereSql(inside)} ORDER BY ${alongSql} LIMIT ${sql.raw(String(length + 1))}`;
  const columns = reads === 'keys' ? sql`${sortKeyOf(key)} AS ${FOUND_KEY}, ${sortColumnsOf(shape)}` : sql`*`;
  const passed = outside.length === 0 ? sql`` : sql` WHERE ${IS_END} OR (${sql.join(outside, sql` AND `)})`;
  const endFirst = isSortedByIndex(terms, depth) ? sql`` : sql`, ${IS_END} DESC`;
  const followedBy = others.length === 0 ? sql`` : sql`, ${orderBySql(others, columnOf)}`;
  return sql`SELECT ${columns} FROM (${walk}) AS ${source.alias}${passed} ORDER BY ${orderBySql([walked], columnOf)}${endFirst}${followedBy}`;
}

interface WalkedTerms extends Pick<Walk, 'from'> {
  readonly walked: SortingTerm;
  readonly others: readonly SortingTerm[];
}

/**
 * What bounds the index that is walked, and what each of its rows is asked for. Rows of one value are sorted by the key in
 * the index of that value: it is walked instead of the key's own, in which they may stand far apart.
 * @param groups the terms before the walked one
 */
function walkConditions(
  resource: ListResource,
  shape: ListShape,
  groups: readonly SortingTerm[],
  { walked, others, from }: WalkedTerms,
) {
  const isByKey = walked.field === resource.key;
  const group = isByKey ? groups.at(-1) : undefined;
  const [missing] = isByKey ? missingFields(shape.condition) : [];
  const { within, rest } = splitByRange(shape.condition, group?.field ?? missing ?? walked.field);
  const inside = [...listedConditions(resource), ...within.map(ofFilter)];
  if (group !== undefined) inside.push(sql`${keyOf(group)} = ${reachedSql(group)}`);
  const outside = groups
    .filter((term) => term !== group)
    .map((term) => sql`${columnOf(term)} = ${reachedSql(term)}`);
  outside.push(...rest.map(ofEachRow));
  // Else all rows with another value would be met before these two.
  const { stored } = walked.field;
  if (stored !== undefined && missingInside(shape).some((other) => isNothingWith(walked.field, other))) {
    inside.push(sql`${keyOf(walked)} IN (${missingKeyOf(stored)}, 0)`);
  }
  if (from === 'behind') inside.push(beyondSql(walked, keyOf(walked), reachedSql(walked)));
  if (from === 'boundary') {
    const sorting = [walked, ...others];
    const isSorted = isSortedByIndex(sorting, 0);
    inside.push(
      isSorted
        ? beyondBoundarySql(sorting, keyOf)
        : beyondSql(walked, keyOf(walked), boundarySql(walked), true),
    );
    if (!isSorted) outside.push(sql`(${beyondBoundarySql(sorting, columnOf)})`);
  }
  return { inside, outside };
}

/** Marks the row that a walk ends before. */
const IS_END = sql`is_end`;

function sortKeysSql({ order }: ListShape): SQL {
  return sql.join(
    order.map(({ field }, place) => sql`${sortKeyOf(field)} AS ${sortColumn(place)}`),
    sql`, `,
  );
}

/** What tells of the rows that are read how they are sorted, and of a walk which one is its end. */
function sortColumnsOf({ order, reading }: ListShape): SQL {
  const columns = order.map((_, place) => sortColumn(place));
  return sql.join(reading.kind === 'walk' ? [...columns, IS_END] : columns, sql`, `);
}

/** Sort keys of the page's rows, named by their place in the order. */
const sortColumn = (place: number): SQL => sql`${sql.identifier(`sort_${place}`)}`;
const columnOf = ({ place }: SortingTerm): SQL => sortColumn(place);
const keyOf = ({ field }: Pick<OrderTerm, 'field'>): SQL => sortKeyOf(field);

const DIRECTIONS: Readonly<Record<Direction, SQL>> = { asc: sql` ASC`, desc: sql` DESC` };

function orderBySql<Term extends OrderTerm>(
  order: readonly Term[],
  expressionOf: (term: Term, index: number) => SQL,
): SQL {
  return sql.join(
    order.map((term, index) => sql`${expressionOf(term, index)}${DIRECTIONS[term.direction]}`),
    sql`, `,
  );
}

/** Older clients skip rows. Of an offset that is bound the planner expects a tenth of the table, even if it is 0. */
function offsetSql({ skips }: ListShape): SQL {
  return skips ? sql` OFFSET ${value(placeholders.skip)}::bigint` : sql``;
}

/** What holds for the rows of the list that is asked for, all pages together. */
function askedConditions(resource: ListResource, { condition, searchedWords }: ListShape): readonly SQL[] {
  return [
    ...listedConditions(resource),
    ...(condition === undefined ? [] : [ofFilter(condition)]),
    ...(searchedWords === 0 ? [] : [searchSql(resource, searchedWords)]),
  ];
}

function ofFilter(condition: Condition): SQL {
  return filterSql(condition, (index) => value(placeholders.filterValue(index)));
}

/** The same of a row that is there already: an index of another table would only be asked once more. */
function ofEachRow(condition: Condition): SQL {
  return filterSql(condition, (index) => value(placeholders.filterValue(index)), 'rows');
}

function whereSql(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`` : sql` WHERE ${sql.join([...conditions], sql` AND `)}`;
}

const value = (name: string): SQL => sql`${sql.placeholder(name)}`;

/** What holds for every row of a list, whatever is asked of it. */
function listedConditions({ source, pathParameters, parameters = [] }: ListResource): readonly SQL[] {
  const own = parameters.flatMap(({ name, column }) =>
    column === undefined ? [] : [sql`${column} = ${value(placeholders.own(name))}::text`],
  );
  return [...servedConditions(source, pathParameters), ...own];
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

const BEYOND: Readonly<Record<Direction, SQL>> = { asc: sql`>`, desc: sql`<` };

/** Whether a key is beyond another one in the direction of reading; from it on, where `orEqual`. */
function beyondSql({ direction }: SortingTerm, key: SQL, bound: SQL, orEqual = false): SQL {
  return sql`${key} ${BEYOND[direction]}${orEqual ? sql`=` : sql``} ${bound}`;
}

/**
 * The rows on the far side of the boundary, in the direction of reading.
 * @param keyOf the sort key of a row
 */
function beyondBoundarySql(terms: readonly SortingTerm[], keyOf: (term: SortingTerm) => SQL): SQL {
  const [first] = terms;
  if (first === undefined) throw new Error('an order ends with the key of the resource');
  if (terms.every(({ direction }) => direction === first.direction)) {
    const keys = sql.join(terms.map(keyOf), sql`, `);
    return beyondSql(first, sql`(${keys})`, sql`(${sql.join(terms.map(boundarySql), sql`, `)})`);
  }
  // Mixed directions are no row comparison. The first line repeats what follows from the rest: an index can use it.
  const alternatives = terms.map((term, index) => {
    const ties = terms.slice(0, index).map((tied) => sql`${keyOf(tied)} = ${boundarySql(tied)}`);
    return sql`(${sql.join([...ties, beyondSql(term, keyOf(term), boundarySql(term))], sql` AND `)})`;
  });
  return sql`${beyondSql(first, keyOf(first), boundarySql(first), true)} AND (${sql.join(alternatives, sql` OR `)})`;
}

/** The sort key that the boundary of the page has for a term. */
function boundarySql({ field, place }: SortingTerm): SQL {
  return boundSql(field, placeholders.boundary(place));
}

/** The sort key of a term that a walk has come to. */
function reachedSql({ field, place }: SortingTerm): SQL {
  return boundSql(field, placeholders.reached(place));
}

function boundSql(field: Field, name: string): SQL {
  return valueTypeOf(field) === 'text' ? sql`${value(name)}::text` : sql`${value(name)}::bigint`;
}

/** What holds for every row that is served at an address: of this company, named by the path, and not left out. */
function servedConditions(source: Source, pathParameters: readonly PathParameter[]): readonly SQL[] {
  const { company, condition } = source;
  return [
    ...(company === undefined ? [] : [sql`${company} = ${sql.placeholder(placeholders.company)}::integer`]),
    ...pathParameters.map(
      ({ name, column }) => sql`${column} = ${sql.placeholder(placeholders.identifier(name))}::bigint`,
    ),
    ...(condition === undefined ? [] : [sql`${condition}`]),
  ];
}

/** A statement that gives one row, `row`, a JSON array of the columns, or none where there is no such object. */
export function detailSql({ source, pathParameters }: StoredDetail, columns: readonly Column[]): SQL {
  const read = sql.join(columns.map(columnSql), sql`, `);
  const conditions = servedConditions(source, pathParameters);
  const from = sql.join([sql`${source.table} AS ${source.alias}`, ...source.joins], sql` `);
  return sql`SELECT json_build_array(${read}) AS row FROM ${from} WHERE ${sql.join([...conditions], sql` AND `)}`;
}
