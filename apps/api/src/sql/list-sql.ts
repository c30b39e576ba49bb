import type { ComputedRows, ListResource, Source, StoredDetail } from '@takt/catalogue/resources';
import { is, type SQL, sql, Table } from 'drizzle-orm';
import { fieldsIn } from '../plan/condition.js';
import type { Column } from '../plan/outline.js';
import { type ListShape, placeholders } from '../plan/plan.js';
import { columnSql, sortKeyAsJson, sortKeyOf } from './operand-sql.js';
import { FOUND_KEY, IS_END, orderBySql, readSql, sortColumn, sortKeysSql } from './read-sql.js';
import { constant, FOUND_ROWS, type Rows, rowsOf, servedConditions, value, whereSql } from './rows-sql.js';

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
  const rows = rowsOf(resource, shape);
  if (!isFoundOnce(resource, shape)) return statementSql(resource, shape, rows);
  const { alias } = resource.source;
  const statement = statementSql(resource, shape, FOUND_ROWS);
  return sql`WITH found AS MATERIALIZED (SELECT ${alias}.* FROM ${wholeListSql(resource, rows)}) ${statement}`;
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
  const rows = rowsOf(resource, shape);
  const isPlain = !areSummed && !usesComputed(source, shape);
  const whole = isPlain ? { ...rows, table: sql`${computed.plainTable}` } : rows;
  const reading = { kind: 'sorted', isOfTies: false } as const;
  const statement = statementSql(resource, { ...shape, reading }, FOUND_ROWS);
  return sql`WITH found AS (SELECT ${sql.join(columns, sql`, `)} FROM ${wholeListSql(resource, whole)}) ${statement}`;
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

function statementSql(resource: ListResource, shape: ListShape, rows: Rows): SQL {
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
  const page = sql`coalesce(json_agg(json_build_array(${sql.join(columns)}${keys}) ORDER BY ${inOrder})${isOfPage}, '[]'::json)`;
  const ended = isWalk
    ? sql`, (json_agg(json_build_array(${keys})) FILTER (WHERE ${IS_END})) -> 0 AS ended`
    : sql``;
  const more = isWalk ? 2 : 1;
  const most = sql`${readSql(resource, shape, rows)} LIMIT ${constant(shape.mostRows + more)}`;
  const limited = sql`SELECT * FROM (${most}) AS most LIMIT ${value(placeholders.pageSize)}::bigint + ${constant(more)}`;
  const read = sql`(${kind === 'sorted' ? wholeRowsSql(resource, shape, rows, limited) : limited}) AS ${source.alias}`;
  const joined = sql.join([read, ...source.joins.map((join) => sql`${join}`)], sql` `);
  const size = shape.countsUpTo > 0 ? sizeSql(resource, shape, rows) : sql`NULL`;
  const totals = shape.totals.length > 0 ? sql`, ${totalsSql(resource, shape, rows)} AS totals` : sql``;
  return sql`SELECT ${page} AS rows${ended}, ${size} AS size${totals}${parentSql(resource)}, ${COMPANY_KEY} FROM ${joined}`;
}

/**
 * A column with the key of the company whose rows the session can see. runStatement checks that it is the company of
 * the request.
 */
export const COMPANY_KEY = sql`current_setting('takt.company_key', true) AS "companyKey"`;

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
function sizeSql(resource: ListResource, { countsUpTo }: ListShape, rows: Rows): SQL {
  if (rows.knownSize !== undefined) return rows.knownSize;
  const counted = wholeListSql(resource, rows);
  return Number.isFinite(countsUpTo)
    ? sql`(SELECT count(*) FROM (SELECT 1 FROM ${counted} LIMIT ${constant(countsUpTo + 1)}) AS counted)`
    : sql`(SELECT count(*) FROM ${counted})`;
}

/**
 * A JSON array of the list's totals, in the order of their columns. At most as many rows as the limit of counting, plus
 * one, are summed.
 */
function totalsSql(resource: ListResource, shape: ListShape, rows: Rows): SQL {
  const { source } = resource;
  const { countsUpTo } = shape;
  const values = sql.join(shape.totals.map(columnSql), sql`, `);
  const whole = wholeListSql(resource, rows);
  const summed =
    countsUpTo > 0 && Number.isFinite(countsUpTo)
      ? sql`(SELECT ${source.alias}.* FROM ${whole} LIMIT ${constant(countsUpTo + 1)}) AS ${source.alias}`
      : whole;
  return sql`(SELECT json_build_array(${values}) FROM ${summed})`;
}

/** The FROM and WHERE clauses for all rows of the list, for counting and summing. */
function wholeListSql({ source }: ListResource, rows: Rows): SQL {
  return sql`${rows.table} AS ${source.alias}${whereSql(rows.conditionsFor('count'))}`;
}

/** Reads the complete rows for the keys that were found. */
function wholeRowsSql(resource: ListResource, shape: ListShape, rows: Rows, found: SQL): SQL {
  const { source, key } = resource;
  const conditions = [...rows.listed, sql`${sortKeyOf(key)} = ${FOUND_KEY}`];
  const sortColumns = sql.join(
    shape.order.map((_, place) => sortColumn(place)),
    sql`, `,
  );
  const whole =
    source.computedRows === undefined
      ? rows.table
      : sql`LATERAL ${source.computedRows.tableOf(sql`found.${FOUND_KEY}`)}`;
  return sql`SELECT ${source.alias}.*, ${sortColumns} FROM (${found}) AS found, ${whole} AS ${source.alias}${whereSql(conditions)}`;
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
