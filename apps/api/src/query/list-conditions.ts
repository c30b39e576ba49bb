import type { Field, ListResource } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import { sourceOf } from './field-sql.js';
import { likeLiteral } from './filter-sql.js';
import { servedConditions } from './identified-sql.js';
import { folded } from './operand-sql.js';
import { placeholders } from './plan.js';
import { type Direction, valueTypeOf } from './resolve-fields.js';
import type { SortingTerm } from './sorting-terms.js';

export const value = (name: string): SQL => sql`${sql.placeholder(name)}`;

/** What holds for every row of a list, whatever is asked of it. */
export function listedConditions({ source, pathParameters, parameters = [] }: ListResource): readonly SQL[] {
  const own = parameters.flatMap(({ name, column }) =>
    column === undefined ? [] : [sql`${column} = ${value(placeholders.own(name))}::text`],
  );
  return [...servedConditions(source, pathParameters), ...own];
}

/** The rows in which every word occurs, in whatever place of those that are searched. */
export function searchSql({ searched, searchIndex }: ListResource, words: number): SQL {
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
export function beyondSql({ direction }: SortingTerm, key: SQL, bound: SQL, orEqual = false): SQL {
  return sql`${key} ${BEYOND[direction]}${orEqual ? sql`=` : sql``} ${bound}`;
}

/**
 * The rows on the far side of the boundary, in the direction of reading.
 * @param keyOf the sort key of a row
 */
export function beyondBoundarySql(terms: readonly SortingTerm[], keyOf: (term: SortingTerm) => SQL): SQL {
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
export function boundarySql({ field, place }: SortingTerm): SQL {
  return boundSql(field, placeholders.boundary(place));
}

/** The sort key of a term that a walk has come to. */
export function reachedSql({ field, place }: SortingTerm): SQL {
  return boundSql(field, placeholders.reached(place));
}

function boundSql(field: Field, name: string): SQL {
  return valueTypeOf(field) === 'text' ? sql`${value(name)}::text` : sql`${value(name)}::bigint`;
}
