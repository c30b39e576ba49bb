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
 * The statement of a page: one statement with one snapshot, which returns one row. Its columns: `rows`, a JSON array of
 * the page's rows in order, each an array of the columns and then the sort keys; `size`, the number of rows of the list
 * up to the limit of counting, or null; `hasParent`, only for a list with a parent: true if the parent exists;
 * `totals`, an array of the requested totals; and `ended`, only for a walk: the sort keys of the row at its end. If
 * rows follow in the direction of reading, `rows` has one row more than the page: the last one if the page is read
 * forward, the first one if it is read backward (before, last). A walk reads two more rows, because one of them may be
 * its end. There are two limits: the most rows of any page, a constant that the planner knows, and the rows of this
 * page, a bound value. With a bound limit alone the planner would expect a tenth of the table, and would read and sort
 * that.
 */
export function listSql(resource: ListResource, shape: ListShape): SQL {
  const { computedRows } = resource.source;
  if (computedRows !== undefined) return foundByKeySql(resource, shape, computedRows);
  return isFoundOnce(resource, shape) ? foundOnceSql(resource, shape) : statementSql(resource, shape);
}

/**
 * True if the rows are made once for the whole statement: a function makes all rows even if only a page, their number
 * or their totals are needed.
 */
function isFoundOnce({ source }: ListResource, { countsUpTo, totals }: ListShape): boolean {
  return isMadeByFunction(source) && (countsUpTo > 0 || totals.length > 0);
}

/** True if a function makes the rows, so that they have no index. */
export function isMadeByFunction({ table }: Source): boolean {
  return !is(table, Table);
}

/** The statement of a list that first makes all rows, with one call of the function. */
function foundOnceSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  const found: ListResource = {
    ...resource,
    ...{ pathParameters: [], parameters: [] },
    source: { ...source, table: sql`found`, company: undefined, condition: undefined },
  };
  const statement = statementSql(found, { ...shape, condition: undefined, searchedWords: 0 });
  return sql`WITH found AS MATERIALIZED (SELECT ${source.alias}.* FROM ${wholeListSql(resource, shape)}) ${statement}`;
}

/**
 * The statement of a list with computed rows: it first finds the keys, sort keys and summed columns of all rows, and
 * then computes complete rows for the page only.
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
    ...{ pathParameters: [], parameters: [] },
    source: { ...source, table: sql`found`, company: undefined, condition: undefined },
  };
  const statement = statementSql(found, {
    ...shape,
    ...{ condition: undefined, searchedWords: 0, reading: { kind: 'sorted', isOfTies: false } },
  });
  return sql`WITH found AS (SELECT ${sql.join(columns, sql`, `)} FROM ${wholeListSql(whole, shape)}) ${statement}`;
}

/** True if the order or the filter uses a computed field. */
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

/** The company whose rows the session can see; runStatement checks that it is the right one. */
export const COMPANY_KEY = sql`current_setting('takt.company_key', true) AS "companyKey"`;

/** Writes a number into the text of a statement: only numbers of this program, never of a client. */
const constant = (number: number): SQL => sql.raw(String(number));

/** A column that tells an empty list from a list whose parent does not exist. */
function parentSql({ parent }: ListResource): SQL {
  if (parent === undefined) return sql``;
  const { source, pathParameters } = parent;
  const conditions = sql.join([...servedConditions(source, pathParameters)], sql` AND `);
  return sql`, EXISTS (SELECT FROM ${source.table} AS ${source.alias} WHERE ${conditions}) AS "hasParent"`;
}

/** The number of rows of the whole list: exact, or one more than the limit of counting if the list is longer. */
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
    ? sql`(SELECT count(*) FROM (SELECT FROM ${counted} LIMIT ${constant(countsUpTo + 1)}) AS counted)`
    : sql`(SELECT count(*) FROM ${counted})`;
}

/** A JSON array of the list's totals, in the order of their columns, over the rows up to the limit of counting. */
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

/** The rows of the whole list, for counting and summing. */
function wholeListSql(resource: ListResource, shape: ListShape): SQL {
  const { source } = resource;
  return sql`${source.table} AS ${source.alias}${whereSql(conditionsOf(resource, shape, 'count'))}`;
}

/**
 * The rows of a page with their sort keys, in order, up to the page's limit. For readings that complete rows later,
 * only the keys and sort keys.
 */
function readSql(resource: ListResource, shape: ListShape): SQL {
  const { source, key } = resource;
  const { reading } = shape;
  const terms = sortingTermsOf(resource, shape);
  if (reading.kind === 'walk') return walkSql(resource, shape, terms, reading);
  const conditions = [...conditionsOf(resource, shape)];
  const isFound = source.computedRows !== undefined;
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
  // Reads only the sort keys: sorting complete rows takes twice as long. OFFSET 0 keeps the planner from reading the
  // index of the order until enough rows match.
  const fence = shape.condition === undefined && !reading.isOfTies ? sql`` : sql` OFFSET 0`;
  const found = sql`SELECT ${sortKeyOf(key)} AS ${FOUND_KEY}, ${sortKeysSql(shape)} FROM ${source.table} AS ${source.alias}${whereSql(conditions)}${fence}`;
  return sql`SELECT * FROM (${found}) AS sorted ORDER BY ${orderBySql(terms, columnOf)}`;
}

const FOUND_KEY = sql`found_key`;

/** The complete rows of the found keys. */
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
 * Reads rows along the index of one field, up to a limit, and then filters and sorts them. The limit in between keeps
 * PostgreSQL from applying the filter earlier or choosing another index, and lets it stop when the page is full. One
 * row beyond the limit marks the end of the walk. The end row passes all filters, and comes before the page's rows with
 * the same key of the walked field, because more rows with this key may follow.
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
  const inside = [...listedConditions(resource), ...within.map((part) => ofFilter(part, 'list'))];
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

/** A column that is true for the row at which a walk ends. */
const IS_END = sql`is_end`;

function sortKeysSql({ order }: ListShape): SQL {
  return sql.join(
    order.map(({ field }, place) => sql`${sortKeyOf(field)} AS ${sortColumn(place)}`),
    sql`, `,
  );
}

/** Sort keys of the page's rows, named by their position in the order. */
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
 * The offset for older clients, which skip rows. It is left out otherwise: for a bound offset, even 0, the planner
 * expects a tenth of the table.
 */
function offsetSql({ skips }: ListShape): SQL {
  return skips ? sql` OFFSET ${value(placeholders.skip)}::bigint` : sql``;
}

/** The conditions of the list's rows: those of the resource, the filter and the search. */
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

/** The conditions that all rows of a list meet, whatever the request's filter. */
function listedConditions({ source, pathParameters, parameters = [] }: ListResource): readonly SQL[] {
  const own = parameters.flatMap(({ name, column }) =>
    column === undefined ? [] : [sql`${column} = ${value(placeholders.own(name))}::text`],
  );
  return [...servedConditions(source, pathParameters), ...own];
}

/** True for rows that contain each word in at least one searched field. */
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

/** The words of a search, without case and accents. */
function searchWords(words: number): readonly SQL[] {
  return Array.from(
    { length: words },
    (_, index) => sql`takt.plain_text(${value(placeholders.searchedWord(index))}::text)`,
  );
}

/** An array of LIKE patterns, one per word. */
function patternsOf(words: number): SQL {
  const patterns = searchWords(words).map((word) => sql`'%' || ${likeLiteral(word)} || '%'`);
  return sql`ARRAY[${sql.join(patterns, sql`, `)}]`;
}

/** The text of a field that a search looks at; a number is searched by its digits. */
function searchedText(field: Field): SQL {
  return valueTypeOf(field) === 'text'
    ? sql`takt.spellings(${sourceOf(field)})`
    : sql`${sourceOf(field)}::text`;
}

const BEYOND: Readonly<Record<Direction, SQL>> = { asc: sql`>`, desc: sql`<` };

/** True if a key is beyond another in the direction of reading; with `orEqual` also if it is equal. */
function beyondSql({ direction }: SortingTerm, key: SQL, bound: SQL, orEqual = false): SQL {
  return sql`${key} ${BEYOND[direction]}${orEqual ? sql`=` : sql``} ${bound}`;
}

/**
 * True for rows beyond the boundary in the direction of reading.
 * @param keyOf the sort key of a row
 */
function beyondBoundarySql(terms: readonly SortingTerm[], keyOf: (term: SortingTerm) => SQL): SQL {
  const [first] = terms;
  if (first === undefined) throw new Error('an order ends with the key of the resource');
  if (terms.every(({ direction }) => direction === first.direction)) {
    const keys = sql.join(terms.map(keyOf), sql`, `);
    return beyondSql(first, sql`(${keys})`, sql`(${sql.join(terms.map(boundarySql), sql`, `)})`);
  }
  // With mixed directions a row comparison is not possible. The first condition is redundant, but an index can use it.
  const alternatives = terms.map((term, index) => {
    const ties = terms.slice(0, index).map((tied) => sql`${keyOf(tied)} = ${boundarySql(tied)}`);
    return sql`(${sql.join([...ties, beyondSql(term, keyOf(term), boundarySql(term))], sql` AND `)})`;
  });
  return sql`${beyondSql(first, keyOf(first), boundarySql(first), true)} AND (${sql.join(alternatives, sql` OR `)})`;
}

function boundarySql({ field, place }: SortingTerm): SQL {
  return boundSql(field, placeholders.boundary(place));
}

/** The first sort key of the row at which a walk ended. */
function reachedSql({ field }: SortingTerm): SQL {
  return boundSql(field, placeholders.reached);
}

/** The SQL type with which a sort key's value is passed to a statement. */
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
 * The conditions of all rows at an address: the company, the identifiers in the path, and the resource's own condition.
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

/** A statement that returns one row: `row`, a JSON array of the columns, or null if the object does not exist. */
export function detailSql({ source, pathParameters }: StoredDetail, columns: readonly Column[]): SQL {
  const read = sql.join(columns.map(columnSql), sql`, `);
  const conditions = servedConditions(source, pathParameters);
  const from = sql.join([sql`${source.table} AS ${source.alias}`, ...source.joins], sql` `);
  const where = sql.join([...conditions], sql` AND `);
  return sql`SELECT json_agg(json_build_array(${read})) -> 0 AS row, ${COMPANY_KEY} FROM ${from} WHERE ${where}`;
}
