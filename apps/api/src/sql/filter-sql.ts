import type { Field, Lookup } from '@takt/catalogue/resources';
import type { TextMatchKind } from '@takt/query';
import { Column, is, type SQL, sql } from 'drizzle-orm';
import {
  type ComparisonCondition,
  type Condition,
  fieldsIn,
  isDecimal,
  type SimpleCondition,
  type Term,
} from '../plan/condition.js';
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

/** Returns the SQL placeholder for a value, given the number of the value (see Condition). */
export type PlaceholderOf = (value: number) => SQL;

/**
 * Each test of a text in two forms. `holds` is the exact test; it uses no LIKE pattern, so that %, _ and \ are ordinary
 * characters. `pattern` is a LIKE pattern for a text index: it puts the wildcards around an escaped literal.
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

/**
 * Returns the SQL of the column that contains a field's value. This column is either in the list's own table or in the
 * field's look-up table.
 */
type ColumnOf = (field: Field) => SQL;

/** The SQL of a field's value for a row of the list. If the value is in a look-up table, this SQL looks it up there. */
const ownColumnOf: ColumnOf = (field) => sql`${field.lookup?.value ?? sourceOf(field)}`;

/**
 * The purpose for which a filter is written: `list` selects the rows of a page, `count` counts all matching rows, and
 * `rows` tests rows that have already been read. A filter of the kind `rows` needs no index, and does not need to
 * search a whole look-up table.
 */
export type StatementKind = 'list' | 'count' | 'rows';

/**
 * Writes a filter as SQL that is true for matching rows, and false or null for all other rows. Null needs no special
 * treatment inside `and` and `or`; `not` is written as IS NOT TRUE, which is true for null.
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

/**
 * The look-up table that contains all fields of a condition; undefined if the fields are in different tables or in the
 * list's own table.
 */
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
      // Bounds and index must use the same collation: the collation of the sorting order. The text column itself may
      // have another collation.
      const [from, until] = [condition.from, condition.until].map(
        (bound) => sql`(${placeholderOf(bound)}::text COLLATE "und-x-icu")`,
      );
      const text = sourceOf(condition.term.field);
      return sql`(${text} >= ${from} AND ${text} < ${until})`;
    }
    case 'textMatch': {
      const { match, text, part, isInRange } = condition;
      const holds = TEXT_MATCHES[match].holds(foldedTerm(text, write(text)), foldedTerm(part, write(part)));
      // The planner has no statistics of folded texts, so it guesses. Without coalesce it would assume that one row of
      // the range in two hundred matches, with coalesce it assumes half of the rows, which is nearer to the truth.
      return isInRange ? sql`coalesce(${holds}, false)` : holds;
    }
  }
}

type Inclusion = Extract<SimpleCondition, { readonly kind: 'in' }>;

function inSql(tested: SQL, { term, type }: Inclusion, values: SQL): SQL {
  return type === 'text'
    ? sql`${foldedTerm(term, tested)} IN (SELECT ${folded(sql`listed_value`, true)} FROM unnest(${values}) AS listed_value)`
    : sql`${tested} = ANY (${values})`;
}

/**
 * The SQL of every comparison that is not a number with a constant. If both sides are decimals stored in the same unit,
 * their stored numbers are compared; otherwise the values are compared in the form in which they are served.
 */
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
 * Folds a text, so that a comparison ignores case. Folding takes most of the time of a comparison. So the text is not
 * folded if it is a key of a domain whose keys are all in lower case.
 */
function foldedTerm(term: Term, text: SQL): SQL {
  const { values } = (term.kind === 'field' && term.field.domain) || {};
  const isFolded = values !== undefined && Object.keys(values).every((key) => /^[a-z]+$/.test(key));
  return isFolded ? text : folded(text, isColumnOrValue(term));
}

const isColumnOrValue = (term: Term): boolean =>
  term.kind === 'value' || (term.kind === 'field' && is(sourceOf(term.field), Column));

/**
 * The SQL of a condition that compares an indexed text with a value; this SQL uses the text index. Returns undefined
 * for any other condition.
 */
function indexedTextSql(
  condition: SimpleCondition,
  placeholderOf: PlaceholderOf,
  use: StatementKind,
): SQL | undefined {
  const literal = (term: Term) => likeLiteral(folded(operandSql(term, placeholderOf, ownColumnOf), true));
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

/** Escapes all wildcards of LIKE in a text. */
export function likeLiteral(text: SQL): SQL {
  return sql`regexp_replace(${text}, '([\\\\%_])', '\\\\\\1', 'g')`;
}

/**
 * Excludes missing values from a comparison of sort keys. A missing value also has a sort key, so the comparison alone
 * could be true for it.
 */
function present(compared: SQL, terms: readonly Term[]): SQL {
  const guards = terms.flatMap((term) =>
    term.kind === 'field' && term.field.isNullable ? [sql`${sourceOf(term.field)} IS NOT NULL`] : [],
  );
  return guards.length === 0 ? compared : sql`(${sql.join([compared, ...guards], sql` AND `)})`;
}
