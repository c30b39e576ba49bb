import { type SQL, sql } from 'drizzle-orm';
import type { BoundType, Condition, Operator, Term } from './resolve-filter.js';
import { sortKeyOf, sourceOf, valueTypeOf } from './sort-key.js';

/** Gives the placeholder of a value by its number. */
export type PlaceholderOf = (value: number) => SQL;

/** What the client may compare with stands here as constant text; a client's text never becomes SQL. */
const OPERATORS: Readonly<Record<Operator, SQL>> = {
  eq: sql`=`,
  ne: sql`<>`,
  lt: sql`<`,
  le: sql`<=`,
  gt: sql`>`,
  ge: sql`>=`,
};

const CASTS: Readonly<Record<BoundType, SQL>> = {
  bigint: sql`::bigint`,
  numeric: sql`::numeric`,
  text: sql`::text`,
  boolean: sql`::boolean`,
};

const ARRAY_CASTS = { number: sql`::numeric[]`, text: sql`::text[]`, boolean: sql`::boolean[]` } as const;

/** White space at both ends, as text is trimmed elsewhere. */
const WHITE_SPACE = sql`E' \\t\\n\\r\\f\\v\\u00a0'`;

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
      const operator = OPERATORS[condition.operator];
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
      return matchSql(condition.match, folded(term(condition.text)), folded(term(condition.part)));
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
function likePattern(match: 'startswith' | 'endswith' | 'contains', part: SQL): SQL {
  const literal = sql`regexp_replace(${part}, '([\\\\%_])', '\\\\\\1', 'g')`;
  switch (match) {
    case 'startswith':
      return sql`(${literal} || '%')`;
    case 'endswith':
      return sql`('%' || ${literal})`;
    case 'contains':
      return sql`('%' || ${literal} || '%')`;
  }
}

/** Without patterns, so that %, _ and \ are plain characters. */
function matchSql(match: 'startswith' | 'endswith' | 'contains', text: SQL, part: SQL): SQL {
  switch (match) {
    case 'startswith':
      return sql`starts_with(${text}, ${part})`;
    case 'endswith':
      return sql`(right(${text}, length(${part})) = ${part})`;
    case 'contains':
      return sql`(position(${part} IN ${text}) > 0)`;
  }
}

/** Text is compared without regard to case, by the rules of all languages at once. */
export function folded(text: SQL): SQL {
  return sql`casefold(${text} COLLATE "und-x-icu")`;
}

/** Numbers are compared as they are indexed, where a missing one counts as -1. */
function termSql(term: Term, placeholderOf: PlaceholderOf): SQL {
  switch (term.kind) {
    case 'field':
      return valueTypeOf(term.field) === 'number' ? sortKeyOf(term.field) : sql`${sourceOf(term.field)}`;
    case 'value':
      return sql`${placeholderOf(term.value)}${CASTS[term.type]}`;
    case 'call':
      return callSql(term.function, termSql(term.argument, placeholderOf));
  }
}

/** A comparison that is not true of missing values, for which a sort key would stand in. */
function present(compared: SQL, terms: readonly Term[]): SQL {
  const guards = terms.flatMap((term) =>
    term.kind === 'field' && term.field.isNullable ? [sql`${sourceOf(term.field)} IS NOT NULL`] : [],
  );
  return guards.length === 0 ? compared : sql`(${sql.join([compared, ...guards], sql` AND `)})`;
}

function callSql(name: 'tolower' | 'toupper' | 'trim' | 'length', argument: SQL): SQL {
  switch (name) {
    case 'tolower':
      return sql`lower(${argument} COLLATE "und-x-icu")`;
    case 'toupper':
      return sql`upper(${argument} COLLATE "und-x-icu")`;
    case 'trim':
      return sql`btrim(${argument}, ${WHITE_SPACE})`;
    case 'length':
      return sql`length(${argument})`;
  }
}
