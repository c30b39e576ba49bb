import type { Field, ListResource, PathParameter, Source } from '@takt/catalogue/resources';
import { type SQL, sql } from 'drizzle-orm';
import type { Condition } from '../plan/condition.js';
import { type ListShape, placeholders } from '../plan/plan.js';
import { valueTypeOf } from '../plan/resolve-fields.js';
import { filterSql, likeLiteral, type StatementKind } from './filter-sql.js';
import { sourceOf } from './operand-sql.js';

/** The rows of a list from which a statement takes the page, the count and the totals. */
export interface Rows {
  readonly table: SQL;
  /** The conditions that every row must meet, whatever filter the request has. */
  readonly listed: readonly SQL[];
  /** Returns all conditions: those of every row, of the filter and of the search. */
  readonly conditionsFor: (use: StatementKind) => readonly SQL[];
  /** True if there are conditions of a filter. */
  readonly isFiltered: boolean;
  /** The number of the rows, if the database knows it without counting. */
  readonly knownSize: SQL | undefined;
}

/** The rows of the table or the function of a resource. */
export function rowsOf(resource: ListResource, shape: Pick<ListShape, 'condition' | 'searchedWords'>): Rows {
  return {
    table: sql`${resource.source.table}`,
    listed: listedConditions(resource),
    conditionsFor: (use) => conditionsOf(resource, shape, use),
    isFiltered: shape.condition !== undefined,
    knownSize: knownSizeOf(resource, shape),
  };
}

function knownSizeOf(
  { source: { sizeOf }, searchIndex }: ListResource,
  { condition, searchedWords }: Pick<ListShape, 'condition' | 'searchedWords'>,
): SQL | undefined {
  if (condition !== undefined) return undefined;
  if (searchedWords === 0) return sizeOf && sql`${sizeOf(sql`${value(placeholders.company)}::integer`)}`;
  return searchIndex && sql`${searchIndex.sizeOf(patternsOf(searchedWords))}`;
}

/** The rows that a common table expression named `found` has selected before. */
export const FOUND_ROWS: Rows = {
  table: sql`found`,
  listed: [],
  conditionsFor: () => [],
  isFiltered: false,
  knownSize: undefined,
};

function conditionsOf(
  resource: ListResource,
  { condition, searchedWords }: Pick<ListShape, 'condition' | 'searchedWords'>,
  use: StatementKind,
): readonly SQL[] {
  return [
    ...listedConditions(resource),
    ...(condition === undefined ? [] : [ofFilter(condition, use)]),
    ...(searchedWords === 0 ? [] : [searchSql(resource, searchedWords, use)]),
  ];
}

export function ofFilter(condition: Condition, use: StatementKind): SQL {
  return filterSql(condition, (index) => value(placeholders.filterValue(index)), use);
}

export function whereSql(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`` : sql` WHERE ${sql.join([...conditions], sql` AND `)}`;
}

export const value = (name: string): SQL => sql`${sql.placeholder(name)}`;

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

/**
 * The conditions for everything at an address: the company, the identifiers in the path, and the resource's own
 * condition.
 */
export function servedConditions(source: Source, pathParameters: readonly PathParameter[]): readonly SQL[] {
  const { company, condition } = source;
  return [
    ...(company === undefined ? [] : [sql`${company} = ${sql.placeholder(placeholders.company)}::integer`]),
    ...pathParameters.map(
      ({ name, column }) => sql`${column} = ${sql.placeholder(placeholders.identifier(name))}::bigint`,
    ),
    ...(condition === undefined ? [] : [sql`${condition}`]),
  ];
}

/** Writes a number into the text of a statement. The number must come from this program, never from a client. */
export const constant = (number: number): SQL => sql.raw(String(number));
