import { comparisonOperators, type TextFunctionName, type TextMatchKind } from '@takt/query-options';
import { type SQL, sql } from 'drizzle-orm';
import { sortKeyOf, sourceOf } from './field-sql.js';
import { valueTypeOf } from './resolve-fields.js';
import type { BoundType, Condition, Term } from './resolve-filter.js';

/** Gives the placeholder of a value by its number. */
export type PlaceholderOf = (value: number) => SQL;

const CASTS: Readonly<Record<BoundType, SQL>> = {
  bigint: sql`::bigint`,
  numeric: sql`::numeric`,
  text: sql`::text`,
  boolean: sql`::boolean`,
};

const ARRAY_CASTS = { number: sql`::numeric[]`, text: sql`::text[]`, boolean: sql`::boolean[]` } as const;

/** Text is compared without regard to case, by the rules of all languages at once. */
export function folded(text: SQL): SQL {
  return sql`casefold(${text} COLLATE "und-x-icu")`;
}

/** White space at both ends, as text is trimmed elsewhere. */
const WHITE_SPACE = sql`E' \\t\\n\\r\\f\\v\\u00a0'`;

const TEXT_FUNCTIONS: Readonly<Record<TextFunctionName, (text: SQL) => SQL>> = {
  tolower: (text) => sql`lower(${text} COLLATE "und-x-icu")`,
  toupper: (text) => sql`upper(${text} COLLATE "und-x-icu")`,
  trim: (text) => sql`btrim(${text}, ${WHITE_SPACE})`,
  length: (text) => sql`length(${text})`,
};

/** Without patterns, so that %, _ and \ are plain characters; and the pattern of an index, around such a literal. */
const TEXT_MATCHES: Readonly<
  Record<
    TextMatchKind,
    { readonly holds: (text: SQL, part: SQL) => SQL; readonly pattern: (literal: SQL) => SQL }
  >
> = {
  startswith: {
    holds: (text, part) => sql`starts_with(${text}, ${part})`,
    pattern: (literal) => sql`(${literal} || '%')`,
  },
  endswith: {
    holds: (text, part) => sql`(right(${text}, length(${part})) = ${part})`,
    pattern: (literal) => sql`('%' || ${literal})`,
  },
  contains: {
    holds: (text, part) => sql`(position(${part} IN ${text}) > 0)`,
    pattern: (literal) => sql`('%' || ${literal} || '%')`,
  },
};

/**
 * A filter as SQL that is true for the rows that meet it, and false or null for all others. `and` and `or` keep that
 * apart by themselves, `not` must not take a null for an unknown: it is IS NOT TRUE.
 */
export function filterSql(condition: Condition, placeholderOf: PlaceholderOf): SQL {
  const write = (inner: Condition): SQL => filterSql(inner, placeholderOf);
  const term = (operand: Term): SQL => termSql(operand, placeholderOf);
  const plain = (operand: Term): SQL =>
    operand.kind === 'field' ? sql`${sourceOf(operand.field)}` : term(operand);
  const indexed = indexedTextSql(condition, placeholderOf);
  if (indexed !== undefined) return indexed;
  switch (condition.kind) {
    case 'and':
      return sql`(${sql.join(condition.conditions.map(write), sql` AND `)})`;
    case 'or':
      return sql`(${sql.join(condition.conditions.map(write), sql` OR `)})`;
    case 'not':
      return sql`(${write(condition.condition)} IS NOT TRUE)`;
    case 'constant':
      return condition.holds ? sql`true` : sql`false`;
    case 'absent':
      return condition.isNegated
        ? sql`(${plain(condition.term)} IS NOT NULL)`
        : sql`(${plain(condition.term)} IS NULL)`;
    case 'comparison': {
      const [left, right] = [term(condition.left), term(condition.right)];
      // A sign of the table, never of a client.
      const operator = sql.raw(comparisonOperators[condition.operator].sign);
      return present(
        condition.type === 'text'
          ? sql`${folded(left)} ${operator} ${folded(right)}`
          : sql`${left} ${operator} ${right}`,
        [condition.left, condition.right],
      );
    }
    case 'in': {
      const values = sql`${placeholderOf(condition.values)}${ARRAY_CASTS[condition.type]}`;
      return present(
        condition.type === 'text'
          ? sql`${folded(term(condition.term))} IN (SELECT ${folded(sql`listed_value`)} FROM unnest(${values}) AS listed_value)`
          : sql`${term(condition.term)} = ANY (${values})`,
        [condition.term],
      );
    }
    case 'textMatch':
      return TEXT_MATCHES[condition.match].holds(folded(term(condition.text)), folded(term(condition.part)));
  }
}

/** A condition that compares an indexed text with a value, by the index; undefined for any other. */
function indexedTextSql(condition: Condition, placeholderOf: PlaceholderOf): SQL | undefined {
  const value = (term: Term) => folded(termSql(term, placeholderOf));
  const within = (field: Term, write: (text: SQL) => SQL): SQL | undefined => {
    const index = field.kind === 'field' ? field.field.textIndex : undefined;
    return index && sql`(${index.within(write(sql`${index.folded}`))})`;
  };
  if (condition.kind === 'comparison' && condition.operator === 'eq' && condition.right.kind === 'value') {
    const { left, right } = condition;
    return within(left, (text) => sql`${text} = ${value(right)}`);
  }
  if (condition.kind === 'textMatch' && condition.part.kind === 'value') {
    const { match, text: field, part } = condition;
    return within(field, (text) => sql`${text} LIKE ${likePattern(match, value(part))}`);
  }
  return undefined;
}

/** A pattern in which only the signs added here are wildcards. */
function likePattern(match: TextMatchKind, part: SQL): SQL {
  return TEXT_MATCHES[match].pattern(sql`regexp_replace(${part}, '([\\\\%_])', '\\\\\\1', 'g')`);
}

/** Numbers are compared as they are indexed, where a missing one counts as -1. */
function termSql(term: Term, placeholderOf: PlaceholderOf): SQL {
  switch (term.kind) {
    case 'field':
      return valueTypeOf(term.field) === 'number' ? sortKeyOf(term.field) : sql`${sourceOf(term.field)}`;
    case 'value':
      return sql`${placeholderOf(term.value)}${CASTS[term.type]}`;
    case 'call':
      return TEXT_FUNCTIONS[term.function](termSql(term.argument, placeholderOf));
  }
}

/** A comparison that is not true of missing values, for which a sort key would stand in. */
function present(compared: SQL, terms: readonly Term[]): SQL {
  const guards = terms.flatMap((term) =>
    term.kind === 'field' && term.field.isNullable ? [sql`${sourceOf(term.field)} IS NOT NULL`] : [],
  );
  return guards.length === 0 ? compared : sql`(${sql.join([compared, ...guards], sql` AND `)})`;
}
