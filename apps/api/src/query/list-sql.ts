import type {
  ComputedRows,
  Field,
  ListResource,
  PathParameter,
  Source,
  StoredDetail,
} from '@takt/catalogue/resources';
import { is, type SQL, sql, Table } from 'drizzle-orm';
import { type BoundType, type Condition, fieldsIn, splitByRange } from './condition.js';
import { filterSql, likeLiteral, type StatementKind } from './filter-sql.js';
import { columnSql, sortKeyAsJson, sortKeyOf, sourceOf, TYPES } from './operand-sql.js';
import type { Column } from './outline.js';
import {
  isSortedByIndex,
  type ListShape,
  placeholders,
  type SortingTerm,
  sortingTermsOf,
  type Walk,
} from './plan.js';
import { type Direction, type OrderTerm, type ValueType, valueTypeOf } from './resolve-fields.js';

/**
 * Writes the statement for a page of a list. It is a single statement, so all its results come from one snapshot. It
 * returns one row with these columns:
 * - `rows`: a JSON array of the page's rows in order. Each row is an array of its columns, followed by its sort keys.
 * - `size`: the number of rows of the whole list, counted up to a limit; null if rows are not counted.
 * - `hasParent`, only for a list with a parent: true if the parent exists.
 * - `totals`, only if requested: an array of the totals.
 * - `ended`, only for a walk: the sort keys of the row at which the walk ended.
 * If more rows follow in the direction of reading, `rows` has one row more than the page. This row is the last one if
 * the page is read forward, and the first one if the page is read backward (before, last). A walk reads two more rows,
 * because one of these may be the row at its end.
 * The number of rows is limited twice: by the size of the largest possible page, a constant that the planner knows, and
 * by the size of this page, a bound value. If there were only the bound value, the planner would expect a tenth of the
 * table, and would choose a plan that reads and sorts so many rows.
 */
export function listSql(resource: ListResource, shape: ListShape): SQL {
  const { computedRows } = resource.source;
  if (computedRows !== undefined) return foundByKeySql(resource, shape, computedRows);
  return isFoundOnce(resource, shape) ? foundOnceSql(resource, shape) : statementSql(resource, shape);
}

/**
 * True if all rows must be made once for the whole statement. This is so if a function makes the rows and the statement
 * also counts or sums them: the function makes all rows on each call, even if only one page is needed.
 */
function isFoundOnce({ source }: ListResource, { countsUpTo, totals }: ListShape): boolean {
  return isMadeByFunction(source) && (countsUpTo > 0 || totals.length > 0);
}

/** True if the rows come from a function instead of a table. Such rows have no index. */
export function isMadeByFunction({ table }: Source): boolean {
  return !is(table, Table);
}

/**
 * Writes the statement of a list that calls the function once to make all rows, and then takes the page, the count and
 * the totals from these rows.
 */
function foundOnceSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const found: ListResource = {
    ...resource,
    pathParameters: [],
    parameters: [],
    source: { ...source, table: sql`found`, company: undefined, condition: undefined },
  };
  const statement = statementSql(found, { ...shape, condition: undefined, searchedWords: 0 });
  return sql`WITH found AS MATERIALIZED (SELECT ${source.alias}.* FROM ${wholeListSql(resource, shape)}) ${statement}`;
}

/**
 * Writes the statement of a list with computed rows. It first finds the keys, the sort keys and the summed columns of
 * all rows; then it computes complete rows, but only for the page.
 */
function foundByKeySql(resource: ListResource, shape: ListShape, computed: ComputedRows): SQL {
  const { source, key } = resource;
  const areSummed = shape.totals.length > 0;
  const columns = [
    sql`${sortKeyOf(key)} AS ${FOUND_KEY}`,
    sortKeysSql(shape),
    ...(areSummed ? computed.summed : []),
  ];
  const isPlain = !areSummed && !usesComputed(source, shape);
  const whole = isPlain ? { ...resource, source: { ...source, table: computed.plainTable } } : resource;
  const found: ListResource = {
    ...resource,
    pathParameters: [],
    parameters: [],
    source: { ...source, table: sql`found`, company: undefined, condition: undefined },
  };
  const statement = statementSql(found, {
    ...shape,
    condition: undefined,
    searchedWords: 0,
    reading: { kind: 'sorted', isOfTies: false },
  });
  return sql`WITH found AS (SELECT ${sql.join(columns, sql`, `)} FROM ${wholeListSql(whole, shape)}) ${statement}`;
}

/** True if the order or the filter of the request uses a computed field. */
export function usesComputed(
  { computedRows }: Source,
  { order, condition }: Pick<ListShape, 'order' | 'condition'>,
): boolean {
  if (computedRows === undefined) return false;
  const used = [...order.map(({ field }) => field), ...(condition === undefined ? [] : fieldsIn(condition))];
  return used.some((field) => computedRows.fields.has(field));
}

function statementSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const { kind } = shape.reading;
  const isWalk = kind === 'walk';
  const keys = sql.join(
    shape.order.map(({ field }, place) => sortKeyAsJson(field, sortColumn(place))),
    sql`, `,
  );
  const columns = shape.columns.map((column) => sql`${columnSql(column)}, `);
  const inOrder = orderBySql(shape.order, (_, place) => sortColumn(place));
  const isOfPage = isWalk ? sql` FILTER (WHERE NOT ${IS_END})` : sql``;
  const rows = sql`coalesce(json_agg(json_build_array(${sql.join(columns)}${keys}) ORDER BY ${inOrder})${isOfPage}, '[]'::json)`;
  const ended = isWalk
    ? sql`, (json_agg(json_build_array(${keys})) FILTER (WHERE ${IS_END})) -> 0 AS ended`
    : sql``;
  const more = isWalk ? 2 : 1;
  const most = sql`${readSql(resource, shape)} LIMIT ${constant(shape.mostRows + more)}`;
  const limited = sql`SELECT * FROM (${most}) AS most LIMIT ${value(placeholders.pageSize)}::bigint + ${constant(more)}`;
  const page = sql`(${kind === 'sorted' ? wholeRowsSql(resource, shape, limited) : limited}) AS ${source.alias}`;
  const joined = sql.join([page, ...source.joins.map((join) => sql`${join}`)], sql` `);
  const size = shape.countsUpTo > 0 ? sizeSql(resource, shape) : sql`NULL`;
  const totals = shape.totals.length > 0 ? sql`, ${totalsSql(resource, shape)} AS totals` : sql``;
  return sql`SELECT ${rows} AS rows${ended}, ${size} AS size${totals}${parentSql(resource)}, ${COMPANY_KEY} FROM ${joined}`;
}

/**
 * A column with the key of the company whose rows the session can see. runStatement checks that it is the company of
 * the request.
 */
export const COMPANY_KEY = sql`current_setting('takt.company_key', true) AS "companyKey"`;

/** Writes a number into the text of a statement. The number must come from this program, never from a client. */
const constant = (number: number): SQL => sql.raw(String(number));

/**
 * A column that is true if the parent of the list exists. It distinguishes an empty list from a list whose parent does
 * not exist.
 */
function parentSql({ parent }: ListResource): SQL {
  if (parent === undefined) return sql``;
  const { source, pathParameters } = parent;
  const conditions = sql.join([...servedConditions(source, pathParameters)], sql` AND `);
  return sql`, EXISTS (SELECT FROM ${source.table} AS ${source.alias} WHERE ${conditions}) AS "hasParent"`;
}

/**
 * The number of rows of the whole list. If the list has more rows than the limit of counting, the number is the limit
 * plus one.
 */
function sizeSql(resource: ListResource, shape: ListShape): SQL {
  const { source, searchIndex } = resource;
  const { condition, searchedWords, countsUpTo } = shape;
  if (condition === undefined && searchedWords === 0 && source.sizeOf !== undefined) {
    return sql`${source.sizeOf(sql`${value(placeholders.company)}::integer`)}`;
  }
  if (condition === undefined && searchedWords > 0 && searchIndex !== undefined) {
    return sql`${searchIndex.sizeOf(patternsOf(searchedWords))}`;
  }
  const counted = wholeListSql(resource, shape);
  return Number.isFinite(countsUpTo)
    ? sql`(SELECT count(*) FROM (SELECT 1 FROM ${counted} LIMIT ${constant(countsUpTo + 1)}) AS counted)`
    : sql`(SELECT count(*) FROM ${counted})`;
}

/**
 * A JSON array of the list's totals, in the order of their columns. At most as many rows as the limit of counting, plus
 * one, are summed.
 */
function totalsSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const { countsUpTo } = shape;
  const values = sql.join(shape.totals.map(columnSql), sql`, `);
  const whole = wholeListSql(resource, shape);
  const summed =
    countsUpTo > 0 && Number.isFinite(countsUpTo)
      ? sql`(SELECT ${source.alias}.* FROM ${whole} LIMIT ${constant(countsUpTo + 1)}) AS ${source.alias}`
      : whole;
  return sql`(SELECT json_build_array(${values}) FROM ${summed})`;
}

/** The FROM and WHERE clauses for all rows of the list, for counting and summing. */
function wholeListSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  return sql`${source.table} AS ${source.alias}${whereSql(conditionsOf(resource, shape, 'count'))}`;
}

/**
 * Reads the rows of a page in order, with their sort keys. If complete rows are read in a later step, it reads only the
 * keys and the sort keys.
 */
function readSql(resource: ListResource, shape: ListShape): SQL {
  const { source, key } = resource;
  const { reading } = shape;
  const terms = sortingTermsOf(resource, shape);
  if (reading.kind === 'walk') return walkSql(resource, shape, terms, reading);
  const isFound = source.computedRows !== undefined;
  const conditions = [...conditionsOf(resource, shape), ...(isFound ? [] : sortingConditionsOf(terms))];
  if (hasBoundary(shape)) conditions.push(beyondBoundarySql(terms, isFound ? columnOf : keyOf));
  if (isFound) {
    return sql`SELECT * FROM found${whereSql(conditions)} ORDER BY ${orderBySql(terms, columnOf)}${offsetSql(shape)}`;
  }
  if (reading.kind === 'planned') {
    const table = sql`${source.table} AS ${source.alias}${whereSql(conditions)}`;
    return sql`SELECT ${source.alias}.*, ${sortKeysSql(shape)} FROM ${table} ORDER BY ${orderBySql(terms, keyOf)}${offsetSql(shape)}`;
  }
  const [first] = terms;
  if (reading.isOfTies && first !== undefined) conditions.push(sql`${keyOf(first)} = ${reachedSql(first)}`);
  // Reads only the keys and the sort keys, because sorting complete rows would take twice as long. OFFSET 0 forces the
  // planner to find all matching rows first; otherwise it might read the index of the order until enough rows match.
  const fence = shape.condition === undefined && !reading.isOfTies ? sql`` : sql` OFFSET 0`;
  const found = sql`SELECT ${sortKeyOf(key)} AS ${FOUND_KEY}, ${sortKeysSql(shape)} FROM ${source.table} AS ${source.alias}${whereSql(conditions)}${fence}`;
  return sql`SELECT * FROM (${found}) AS sorted ORDER BY ${orderBySql(terms, columnOf)}`;
}

const FOUND_KEY = sql`found_key`;

/** Reads the complete rows for the keys that were found. */
function wholeRowsSql(resource: ListResource, shape: ListShape, found: SQL): SQL {
  const { source, key } = resource;
  const conditions = [...listedConditions(resource), sql`${sortKeyOf(key)} = ${FOUND_KEY}`];
  const sortColumns = sql.join(
    shape.order.map((_, place) => sortColumn(place)),
    sql`, `,
  );
  const rows =
    source.computedRows === undefined
      ? sql`${source.table}`
      : sql`LATERAL ${source.computedRows.tableOf(sql`found.${FOUND_KEY}`)}`;
  return sql`SELECT ${source.alias}.*, ${sortColumns} FROM (${found}) AS found, ${rows} AS ${source.alias}${whereSql(conditions)}`;
}

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
    ...listedConditions(resource),
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
  const walk = sql`SELECT ${source.alias}.*, ${sortKeysSql(shape)}, row_number() OVER (ORDER BY ${alongSql}) > ${constant(length)} AS ${IS_END} FROM ${source.table} AS ${source.alias}${whereSql(inside)} ORDER BY ${alongSql} LIMIT ${constant(length + 1)}`;
  const passed = outside.length === 0 ? sql`` : sql` WHERE ${IS_END} OR (${sql.join(outside, sql` AND `)})`;
  const endFirst = isSorted ? sql`` : sql`, ${IS_END} DESC`;
  const followedBy = others.length === 0 ? sql`` : sql`, ${orderBySql(others, columnOf)}`;
  return sql`SELECT * FROM (${walk}) AS ${source.alias}${passed} ORDER BY ${orderBySql([walked], columnOf)}${endFirst}${followedBy}`;
}

const hasBoundary = ({ start }: ListShape): boolean => start === 'after' || start === 'before';

/** The column that is true for the row at which a walk ends. */
const IS_END = sql`is_end`;

function sortKeysSql({ order }: ListShape): SQL {
  return sql.join(
    order.map(({ field }, place) => sql`${sortKeyOf(field)} AS ${sortColumn(place)}`),
    sql`, `,
  );
}

/** The column with a sort key of a row. Its name contains the position of the field among the fields of the order. */
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

/**
 * The OFFSET clause for older clients, which skip rows. It is left out if the request skips no rows: with a bound
 * offset, even if it is 0, the planner expects to read a tenth of the table.
 */
function offsetSql({ skips }: ListShape): SQL {
  return skips ? sql` OFFSET ${value(placeholders.skip)}::bigint` : sql``;
}

/** The conditions with which the index of the first sorting term can be used. */
function sortingConditionsOf([first]: readonly SortingTerm[]): readonly SQL[] {
  const condition = first?.field.sorting?.condition;
  return condition === undefined ? [] : [sql`${condition}`];
}

/** The conditions for the rows of a request: the conditions of the resource, of the filter and of the search. */
function conditionsOf(
  resource: ListResource,
  { condition, searchedWords }: ListShape,
  use: StatementKind = 'list',
): readonly SQL[] {
  return [
    ...listedConditions(resource),
    ...(condition === undefined ? [] : [ofFilter(condition, use)]),
    ...(searchedWords === 0 ? [] : [searchSql(resource, searchedWords, use)]),
  ];
}

function ofFilter(condition: Condition, use: StatementKind): SQL {
  return filterSql(condition, (index) => value(placeholders.filterValue(index)), use);
}

function whereSql(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`` : sql` WHERE ${sql.join([...conditions], sql` AND `)}`;
}

const value = (name: string): SQL => sql`${sql.placeholder(name)}`;

/** The conditions that every row of a list must meet, whatever filter the request has. */
function listedConditions({ source, pathParameters, parameters = [] }: ListResource): readonly SQL[] {
  const own = parameters.flatMap(({ name, column }) =>
    column === undefined ? [] : [sql`${column} = ${value(placeholders.own(name))}::text`],
  );
  return [...servedConditions(source, pathParameters), ...own];
}

/** The condition of a search: each word must be in at least one of the searched fields. */
function searchSql({ searched, searchIndex }: ListResource, words: number, use: StatementKind): SQL {
  const found = searchWords(words).map((word) => {
    const places = searched.map((field) => sql`position(${word} IN ${searchedText(field)}) > 0`);
    return sql`(${sql.join(places, sql` OR `)})`;
  });
  const all = sql.join(found, sql` AND `);
  if (searchIndex === undefined) return all;
  const patterns = patternsOf(words);
  return use === 'count'
    ? sql`${searchIndex.among(patterns)}`
    : sql`(${searchIndex.matching(patterns, all)})`;
}

/** The SQL of the words of a search, without case and accents. */
function searchWords(words: number): readonly SQL[] {
  return Array.from(
    { length: words },
    (_, index) => sql`takt.plain_text(${value(placeholders.searchedWord(index))}::text)`,
  );
}

/** The SQL of an array that contains a LIKE pattern for each word. */
function patternsOf(words: number): SQL {
  const patterns = searchWords(words).map((word) => sql`'%' || ${likeLiteral(word)} || '%'`);
  return sql`ARRAY[${sql.join(patterns, sql`, `)}]`;
}

/** The text of a field in which a search looks for words. For a number it is the key of its object, or its digits. */
function searchedText(field: Field): SQL {
  if (field.keyField !== undefined) {
    return sql`coalesce(takt.spellings(${sourceOf(field.keyField)}), ${sourceOf(field)}::text)`;
  }
  return valueTypeOf(field) === 'text'
    ? sql`takt.spellings(${sourceOf(field)})`
    : sql`${sourceOf(field)}::text`;
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

/**
 * The conditions for everything at an address: the company, the identifiers in the path, and the resource's own
 * condition.
 */
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

/**
 * Writes the statement for an object. It returns one row, whose column `row` is a JSON array of the object's columns,
 * or null if the object does not exist.
 */
export function detailSql({ source, pathParameters }: StoredDetail, columns: readonly Column[]): SQL {
  const read = sql.join(columns.map(columnSql), sql`, `);
  const conditions = servedConditions(source, pathParameters);
  const from = sql.join([sql`${source.table} AS ${source.alias}`, ...source.joins], sql` `);
  const where = sql.join([...conditions], sql` AND `);
  return sql`SELECT json_agg(json_build_array(${read})) -> 0 AS row, ${COMPANY_KEY} FROM ${from} WHERE ${where}`;
}
