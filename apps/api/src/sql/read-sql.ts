import type { Field, ListResource } from '@takt/catalogue/resources';
import { type SQL, sql } from 'drizzle-orm';
import { type BoundType, splitByRange } from '../plan/condition.js';
import {
  isSortedByIndex,
  type ListShape,
  placeholders,
  type SortingTerm,
  sortingTermsOf,
  type Walk,
} from '../plan/plan.js';
import { type Direction, type OrderTerm, type ValueType, valueTypeOf } from '../plan/resolve-fields.js';
import { sortKeyOf, TYPES } from './operand-sql.js';
import { constant, ofFilter, type Rows, value, whereSql } from './rows-sql.js';

/**
 * Reads the rows of a page in order, with their sort keys. If complete rows are read in a later step, it reads only the
 * keys and the sort keys.
 */
export function readSql(resource: ListResource, shape: ListShape, rows: Rows): SQL {
  const { source, key } = resource;
  const { reading } = shape;
  const terms = sortingTermsOf(resource, shape);
  if (reading.kind === 'walk') return walkSql(resource, shape, rows, terms, reading);
  const isFound = source.computedRows !== undefined;
  const conditions = [...rows.conditionsFor('list'), ...(isFound ? [] : sortingConditionsOf(terms))];
  if (hasBoundary(shape)) conditions.push(beyondBoundarySql(terms, isFound ? columnOf : keyOf));
  if (isFound) {
    return sql`SELECT * FROM ${rows.table}${whereSql(conditions)} ORDER BY ${orderBySql(terms, columnOf)}${offsetSql(shape)}`;
  }
  if (reading.kind === 'planned') {
    const table = sql`${rows.table} AS ${source.alias}${whereSql(conditions)}`;
    return sql`SELECT ${source.alias}.*, ${sortKeysSql(shape)} FROM ${table} ORDER BY ${orderBySql(terms, keyOf)}${offsetSql(shape)}`;
  }
  const [first] = terms;
  if (reading.isOfTies && first !== undefined) conditions.push(sql`${keyOf(first)} = ${reachedSql(first)}`);
  // Reads only the keys and the sort keys, because sorting complete rows would take twice as long. OFFSET 0 forces the
  // planner to find all matching rows first; otherwise it might read the index of the order until enough rows match.
  const fence = rows.isFiltered || reading.isOfTies ? sql` OFFSET 0` : sql``;
  const found = sql`SELECT ${sortKeyOf(key)} AS ${FOUND_KEY}, ${sortKeysSql(shape)} FROM ${rows.table} AS ${source.alias}${whereSql(conditions)}${fence}`;
  return sql`SELECT * FROM (${found}) AS sorted ORDER BY ${orderBySql(terms, columnOf)}`;
}

/** The column with the key of a row whose other columns are read in a later step. */
export const FOUND_KEY = sql`found_key`;

/**
 * Writes a walk: it reads a limited number of rows along the index of one field, and then filters and sorts these rows.
 * Because the limit stands between the index and the filter, PostgreSQL cannot apply the filter earlier or choose
 * another index, and can stop when the page is full. The first row beyond the limit marks the end of the walk. This end
 * row is returned even if the filter excludes it. It is sorted before rows of the page that have the same key of the
 * walked field, because more rows with this key may follow in the index.
 */
function walkSql(
  resource: ListResource,
  shape: ListShape,
  rows: Rows,
  terms: readonly SortingTerm[],
  { continues, length }: Walk,
): SQL {
  const { source, key } = resource;
  const [walked, ...others] = terms;
  if (walked === undefined) throw new Error(`nothing sorts ${resource.path}`);
  const isSorted = isSortedByIndex(terms);
  const along = walked.field === key ? [walked] : [walked, { field: key, direction: walked.direction }];
  const alongSql = orderBySql(along, keyOf);
  const { within, rest } = splitByRange(shape.condition, walked.field);
  const inside = [
    ...rows.listed,
    ...sortingConditionsOf([walked]),
    ...within.map((part) => ofFilter(part, 'list')),
  ];
  const outside = rest.map((part) => ofFilter(part, 'rows'));
  if (continues) {
    inside.push(beyondSql(walked, keyOf(walked), reachedSql(walked)));
  } else if (hasBoundary(shape) && isSorted) {
    inside.push(beyondBoundarySql(terms, keyOf));
  } else if (hasBoundary(shape)) {
    inside.push(beyondSql(walked, keyOf(walked), boundarySql(walked), true));
    outside.push(sql`(${beyondBoundarySql(terms, columnOf)})`);
  }
  const walk = sql`SELECT ${source.alias}.*, ${sortKeysSql(shape)}, row_number() OVER (ORDER BY ${alongSql}) > ${constant(length)} AS ${IS_END} FROM ${rows.table} AS ${source.alias}${whereSql(inside)} ORDER BY ${alongSql} LIMIT ${constant(length + 1)}`;
  const passed = outside.length === 0 ? sql`` : sql` WHERE ${IS_END} OR (${sql.join(outside, sql` AND `)})`;
  const endFirst = isSorted ? sql`` : sql`, ${IS_END} DESC`;
  const followedBy = others.length === 0 ? sql`` : sql`, ${orderBySql(others, columnOf)}`;
  return sql`SELECT * FROM (${walk}) AS ${source.alias}${passed} ORDER BY ${orderBySql([walked], columnOf)}${endFirst}${followedBy}`;
}

const hasBoundary = ({ start }: ListShape): boolean => start === 'after' || start === 'before';

/** The column that is true for the row at which a walk ends. */
export const IS_END = sql`is_end`;

/** The conditions with which the index of the first sorting term can be used. */
function sortingConditionsOf([first]: readonly SortingTerm[]): readonly SQL[] {
  const condition = first?.field.sorting?.condition;
  return condition === undefined ? [] : [sql`${condition}`];
}

export function sortKeysSql({ order }: ListShape): SQL {
  return sql.join(
    order.map(({ field }, place) => sql`${sortKeyOf(field)} AS ${sortColumn(place)}`),
    sql`, `,
  );
}

/** The column with a sort key of a row. Its name contains the position of the field among the fields of the order. */
export const sortColumn = (place: number): SQL => sql`${sql.identifier(`sort_${place}`)}`;
const columnOf = ({ place }: SortingTerm): SQL => sortColumn(place);
const keyOf = ({ field }: Pick<OrderTerm, 'field'>): SQL => sortKeyOf(field);

const DIRECTIONS: Readonly<Record<Direction, SQL>> = { asc: sql` ASC`, desc: sql` DESC` };

export function orderBySql<Term extends OrderTerm>(
  order: readonly Term[],
  expressionOf: (term: Term, index: number) => SQL,
): SQL {
  return sql.join(
    order.map((term, index) => sql`${expressionOf(term, index)}${DIRECTIONS[term.direction]}`),
    sql`, `,
  );
}

/**
 * The OFFSET clause for older clients, which skip rows. It is left out if the request skips no rows: with a bound
 * offset, even if it is 0, the planner expects to read a tenth of the table.
 */
function offsetSql({ skips }: ListShape): SQL {
  return skips ? sql` OFFSET ${value(placeholders.skip)}::bigint` : sql``;
}

const BEYOND: Readonly<Record<Direction, SQL>> = { asc: sql`>`, desc: sql`<` };

/**
 * A condition that is true if a sort key lies beyond a bound in the direction of reading. With `orEqual` it is also
 * true if the key equals the bound.
 */
function beyondSql({ direction }: SortingTerm, key: SQL, bound: SQL, orEqual = false): SQL {
  return sql`${key} ${BEYOND[direction]}${orEqual ? sql`=` : sql``} ${bound}`;
}

/**
 * A condition that is true for rows beyond the boundary of the page, in the direction of reading.
 * @param keyOf returns the SQL of a row's sort key
 */
function beyondBoundarySql(terms: readonly SortingTerm[], keyOf: (term: SortingTerm) => SQL): SQL {
  const [first] = terms;
  if (first === undefined) throw new Error('an order ends with the key of the resource');
  if (terms.every(({ direction }) => direction === first.direction)) {
    const keys = sql.join(terms.map(keyOf), sql`, `);
    return beyondSql(first, sql`(${keys})`, sql`(${sql.join(terms.map(boundarySql), sql`, `)})`);
  }
  // If the directions of the fields differ, one comparison of whole rows is not possible. The condition on the first
  // field is redundant, but it lets PostgreSQL use an index.
  const alternatives = terms.map((term, index) => {
    const ties = terms.slice(0, index).map((tied) => sql`${keyOf(tied)} = ${boundarySql(tied)}`);
    return sql`(${sql.join([...ties, beyondSql(term, keyOf(term), boundarySql(term))], sql` AND `)})`;
  });
  return sql`${beyondSql(first, keyOf(first), boundarySql(first), true)} AND (${sql.join(alternatives, sql` OR `)})`;
}

function boundarySql({ field, place }: SortingTerm): SQL {
  return boundSql(field, placeholders.boundary(place));
}

/** The placeholder for the first sort key of the row at which the previous walk ended. */
function reachedSql({ field }: SortingTerm): SQL {
  return boundSql(field, placeholders.reached);
}

/** The SQL type in which a sort key is passed to a statement, by the type of the field. */
const BOUND_AS: Readonly<Record<ValueType, BoundType>> = {
  number: 'bigint',
  text: 'text',
  boolean: 'boolean',
  instant: 'instant',
};

function boundSql(field: Field, name: string): SQL {
  return sql`${value(name)}::${TYPES[BOUND_AS[valueTypeOf(field)]]}`;
}
