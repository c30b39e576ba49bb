import type { Field, Lookup } from '@takt/catalogue/resources';
import type { TextMatchKind } from '@takt/query';
import { type SQL, sql } from 'drizzle-orm';
import {
  type ComparisonCondition,
  type Condition,
  fieldsIn,
  isDecimal,
  type SimpleCondition,
  type Term,
} from './condition.js';
import {
  absentDecimalSql,
  comparedNumberSql,
  folded,
  listedNumberSql,
  operandSql,
  signOf,
  sortKeyOf,
  sourceOf,
  TYPES,
} from './operand-sql.js';

/** Returns the placeholder of a numbered value. */
export type PlaceholderOf = (value: number) => SQL;

/**
 * For each test: `holds` works without patterns, so that %, _ and \ are plain characters; `pattern` puts the wildcards
 * for the index around an escaped literal.
 */
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

/** Returns the column of a field: in the list's own table, or in the field's look-up table. */
type ColumnOf = (field: Field) => SQL;

/** The field's value in a row of the list, even if it comes from a look-up table. */
const ownColumnOf: ColumnOf = (field) => sql`${field.lookup?.value ?? sourceOf(field)}`;

/**
 * The use of a filter: to select a page's rows, to count all rows, or to test rows that have been read already. The
 * last needs neither an index nor all rows of another table.
 */
export type StatementKind = 'list' | 'count' | 'rows';

/**
 * A filter as SQL that is true for matching rows, and false or null for others. `and` and `or` work with null as they
 * are; `not` becomes IS NOT TRUE.
 */
export function filterSql(
  condition: Condition,
  placeholderOf: PlaceholderOf,
  use: StatementKind = 'list',
): SQL {
  const write = (inner: Condition): SQL => filterSql(inner, placeholderOf, use);
  switch (condition.kind) {
    case 'and':
      return sql`(${sql.join(condition.conditions.map(write), sql` AND `)})`;
    case 'or':
      return sql`(${sql.join(condition.conditions.map(write), sql` OR `)})`;
    case 'not':
      return sql`(${write(condition.condition)} IS NOT TRUE)`;
    case 'constant':
      return condition.holds ? sql`true` : sql`false`;
    default: {
      if (use === 'rows') return simpleSql(condition, placeholderOf, ownColumnOf);
      const indexed = indexedTextSql(condition, placeholderOf, use);
      if (indexed !== undefined) return indexed;
      const within = lookupIn(condition)?.within;
      if (within === undefined) return simpleSql(condition, placeholderOf, ownColumnOf);
      return sql`(${within(simpleSql(condition, placeholderOf, lookupColumnOf))})`;
    }
  }
}

const lookupColumnOf: ColumnOf = (field) => sql`${field.lookup?.column ?? sourceOf(field)}`;

/** The look-up table that all fields of a condition come from; undefined if there is not exactly one. */
function lookupIn(condition: SimpleCondition): Lookup | undefined {
  const lookups = fieldsIn(condition).map(({ lookup }) => lookup);
  const [first] = lookups;
  return lookups.every((lookup) => lookup?.within === first?.within) ? first : undefined;
}

function simpleSql(condition: SimpleCondition, placeholderOf: PlaceholderOf, columnOf: ColumnOf): SQL {
  const write = (operand: Term): SQL => operandSql(operand, placeholderOf, columnOf);
  switch (condition.kind) {
    case 'absent': {
      const { term, isNegated } = condition;
      if (isDecimal(term) && term.field.isNullable) return absentDecimalSql(term.field, isNegated);
      const tested = term.kind === 'field' ? columnOf(term.field) : write(term);
      return isNegated ? sql`(${tested} IS NOT NULL)` : sql`(${tested} IS NULL)`;
    }
    case 'comparison':
      return comparedNumberSql(condition, write) ?? comparisonSql(condition, write);
    case 'in': {
      const { term, type } = condition;
      const values = sql`${placeholderOf(condition.values)}::${TYPES[type]}[]`;
      return (type === 'numeric' && listedNumberSql(term, values)) || inSql(write(term), condition, values);
    }
    case 'textRange': {
      // Uses the collation of the order and its index; text columns may have another.
      const [from, until] = [condition.from, condition.until].map(
        (bound) => sql`(${placeholderOf(bound)}::text COLLATE "und-x-icu")`,
      );
      const text = sourceOf(condition.term.field);
      return sql`(${text} >= ${from} AND ${text} < ${until})`;
    }
    case 'textMatch': {
      const { match, text, part, isInRange } = condition;
      const holds = TEXT_MATCHES[match].holds(folded(write(text)), folded(write(part)));
      // The planner has no statistics of folded texts. With coalesce it assumes that half of the range matches,
      // otherwise one row in two hundred.
      return isInRange ? sql`coalesce(${holds}, false)` : holds;
    }
  }
}

type Inclusion = Extract<SimpleCondition, { readonly kind: 'in' }>;

function inSql(tested: SQL, { term, type }: Inclusion, values: SQL): SQL {
  return type === 'text'
    ? sql`${foldedTerm(term, tested)} IN (SELECT ${folded(sql`listed_value`)} FROM unnest(${values}) AS listed_value)`
    : sql`${tested} = ANY (${values})`;
}

/** All other comparisons. Two decimals with the same unit are compared in that unit, any other values as served. */
function comparisonSql(
  { left, right, operator, type }: ComparisonCondition,
  write: (term: Term) => SQL,
): SQL {
  const sign = signOf(operator);
  if (isDecimal(left) && isDecimal(right) && left.field.stored.decimals === right.field.stored.decimals) {
    return present(sql`${sortKeyOf(left.field)} ${sign} ${sortKeyOf(right.field)}`, [left, right]);
  }
  const [first, second] = [write(left), write(right)];
  return type === 'text'
    ? sql`${foldedTerm(left, first)} ${sign} ${foldedTerm(right, second)}`
    : sql`${first} ${sign} ${second}`;
}

/**
 * Folds a text for comparisons that ignore case. Folding takes most of the time of a comparison, so it is left out for
 * domains whose keys are all in lower case.
 */
function foldedTerm(term: Term, text: SQL): SQL {
  const { values } = (term.kind === 'field' && term.field.domain) || {};
  const isFolded = values !== undefined && Object.keys(values).every((key) => /^[a-z]+$/.test(key));
  return isFolded ? text : folded(text);
}

/** Uses an index for a condition that compares an indexed text with a value; undefined for any other condition. */
function indexedTextSql(
  condition: SimpleCondition,
  placeholderOf: PlaceholderOf,
  use: StatementKind,
): SQL | undefined {
  const literal = (term: Term) => likeLiteral(folded(operandSql(term, placeholderOf, ownColumnOf)));
  const matching = (field: Term, patternOf: () => SQL): SQL | undefined => {
    const index = field.kind === 'field' ? field.field.textIndex : undefined;
    if (index === undefined) return undefined;
    if (use === 'count') return sql`(${index.among(patternOf())})`;
    return sql`(${index.matching(patternOf(), simpleSql(condition, placeholderOf, ownColumnOf))})`;
  };
  if (condition.kind === 'comparison' && condition.operator === 'eq' && condition.right.kind === 'value') {
    const { left, right } = condition;
    return matching(left, () => literal(right));
  }
  if (condition.kind === 'textMatch' && condition.part.kind === 'value' && !condition.isInRange) {
    const { match, text: field, part } = condition;
    return matching(field, () => TEXT_MATCHES[match].pattern(literal(part)));
  }
  return undefined;
}

/** Escapes all wildcards of LIKE. */
export function likeLiteral(text: SQL): SQL {
  return sql`regexp_replace(${text}, '([\\\\%_])', '\\\\\\1', 'g')`;
}

/** A comparison that excludes missing values: they have a sort key, so the comparison alone could be true for them. */
function present(compared: SQL, terms: readonly Term[]): SQL {
  const guards = terms.flatMap((term) =>
    term.kind === 'field' && term.field.isNullable ? [sql`${sourceOf(term.field)} IS NOT NULL`] : [],
  );
  return guards.length === 0 ? compared : sql`(${sql.join([compared, ...guards], sql` AND `)})`;
}
