import { type ComparisonOperator, comparisonOperators, type TextMatchKind } from '@takt/query-options';
import type { Field, Lookup, StoredDecimal } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import { type Condition, fieldsIn, type SimpleCondition, type Term, termsOf } from './condition.js';
import { sortKeyOf, sourceOf } from './field-sql.js';
import { folded, operandSql, TYPES } from './operand-sql.js';

/** Gives the placeholder of a value by its number. */
export type PlaceholderOf = (value: number) => SQL;

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

/** Gives the column of a field: its own, or that of the table in which it is looked up. */
type ColumnOf = (field: Field) => SQL;

/** The value of the field in a row of the list, wherever it is. */
const ownColumnOf: ColumnOf = (field) => sql`${field.lookup?.value ?? sourceOf(field)}`;

/**
 * A filter as SQL that is true for the rows that meet it, and false or null for all others. `and` and `or` keep that
 * apart by themselves, `not` must not take a null for an unknown: it is IS NOT TRUE.
 * @param asked whether it is asked of a whole list, or of rows that are read already: these need no index of theirs, nor
 * all rows of another table
 */
export function filterSql(
  condition: Condition,
  placeholderOf: PlaceholderOf,
  asked: 'list' | 'rows' = 'list',
): SQL {
  const write = (inner: Condition): SQL => filterSql(inner, placeholderOf, asked);
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
      if (asked === 'rows') return simpleSql(condition, placeholderOf, ownColumnOf);
      const indexed = indexedTextSql(condition, placeholderOf);
      if (indexed !== undefined) return indexed;
      const within = lookupIn(condition)?.within;
      if (within === undefined) return simpleSql(condition, placeholderOf, ownColumnOf);
      return sql`(${within(simpleSql(condition, placeholderOf, lookupColumnOf))})`;
    }
  }
}

const lookupColumnOf: ColumnOf = (field) => sql`${field.lookup?.column ?? sourceOf(field)}`;

/** Where all fields of a condition are looked up, if that is one place. */
function lookupIn(condition: SimpleCondition): Lookup | undefined {
  const lookups = termsOf(condition)
    .flatMap(fieldsIn)
    .map(({ lookup }) => lookup);
  const [first] = lookups;
  return lookups.every((lookup) => lookup?.within === first?.within) ? first : undefined;
}

function simpleSql(condition: SimpleCondition, placeholderOf: PlaceholderOf, columnOf: ColumnOf): SQL {
  const write = (operand: Term): SQL => operandSql(operand, placeholderOf, columnOf);
  switch (condition.kind) {
    case 'absent': {
      const { term, isNegated } = condition;
      const tested = term.kind === 'field' ? columnOf(term.field) : write(term);
      return isNegated ? sql`(${tested} IS NOT NULL)` : sql`(${tested} IS NULL)`;
    }
    case 'comparison': {
      const [left, right] = comparedSql(condition, write);
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
      const values = sql`${placeholderOf(condition.values)}::${TYPES[condition.type]}[]`;
      return present(
        condition.type === 'text'
          ? sql`${folded(write(condition.term))} IN (SELECT ${folded(sql`listed_value`)} FROM unnest(${values}) AS listed_value)`
          : isDecimal(condition.term)
            ? sql`${sortKeyOf(condition.term.field)} = ANY (${UNITS.eq(values, condition.term.field.stored)})`
            : sql`${write(condition.term)} = ANY (${values})`,
        [condition.term],
      );
    }
    case 'textMatch':
      return TEXT_MATCHES[condition.match].holds(
        folded(write(condition.text)),
        folded(write(condition.part)),
      );
  }
}

interface DecimalTerm {
  readonly kind: 'field';
  readonly field: Field & { readonly stored: StoredDecimal };
}

const isDecimal = (term: Term): term is DecimalTerm =>
  term.kind === 'field' && term.field.stored !== undefined;

const isConstant = (term: Term): boolean => fieldsIn(term).length === 0;

/** The same comparison with its sides exchanged. */
const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

type UnitsOf = (value: SQL, stored: StoredDecimal) => SQL;

// Numbers of a definition, never of a client.
const decimalsSql = ({ decimals }: StoredDecimal): SQL => sql.raw(String(decimals));
const smallestSql = ({ isSigned }: StoredDecimal): SQL => (isSigned ? sql`-9223372036854775807` : sql`0`);

const sameUnits: UnitsOf = (value, stored) =>
  sql`takt.same_units(${value}, ${decimalsSql(stored)}, ${smallestSql(stored)})`;
const floorUnits: UnitsOf = (value, stored) => sql`takt.floor_units(${value}, ${decimalsSql(stored)})`;
const ceilingUnits: UnitsOf = (value, stored) => sql`takt.ceiling_units(${value}, ${decimalsSql(stored)})`;

/** What a decimal, which is stored in whole units, is compared with in place of any number. */
const UNITS: Readonly<Record<ComparisonOperator, UnitsOf>> = {
  eq: sameUnits,
  ne: sameUnits,
  gt: floorUnits,
  le: floorUnits,
  lt: ceilingUnits,
  ge: ceilingUnits,
};

/**
 * Both sides of a comparison. A decimal is compared with another one of the same unit, or with what is the same for all
 * rows, as it is indexed: in whole units, a missing one as its sort key. With anything else it is compared as it is served.
 */
function comparedSql(
  { left, right, operator }: Extract<SimpleCondition, { readonly kind: 'comparison' }>,
  write: (term: Term) => SQL,
): readonly [left: SQL, right: SQL] {
  if (isDecimal(left) && isDecimal(right) && left.field.stored.decimals === right.field.stored.decimals) {
    return [sortKeyOf(left.field), sortKeyOf(right.field)];
  }
  if (isDecimal(left) && isConstant(right)) {
    return [sortKeyOf(left.field), UNITS[operator](write(right), left.field.stored)];
  }
  if (isConstant(left) && isDecimal(right)) {
    return [UNITS[MIRRORED[operator]](write(left), right.field.stored), sortKeyOf(right.field)];
  }
  return [write(left), write(right)];
}

/** A condition that compares an indexed text with a value, by the index; undefined for any other. */
function indexedTextSql(condition: SimpleCondition, placeholderOf: PlaceholderOf): SQL | undefined {
  const literal = (term: Term) => likeLiteral(folded(operandSql(term, placeholderOf, ownColumnOf)));
  const matching = (field: Term, patternOf: () => SQL): SQL | undefined => {
    const index = field.kind === 'field' ? field.field.textIndex : undefined;
    return index && sql`(${index.matching(patternOf(), simpleSql(condition, placeholderOf, ownColumnOf))})`;
  };
  if (condition.kind === 'comparison' && condition.operator === 'eq' && condition.right.kind === 'value') {
    const { left, right } = condition;
    return matching(left, () => literal(right));
  }
  if (condition.kind === 'textMatch' && condition.part.kind === 'value') {
    const { match, text: field, part } = condition;
    return matching(field, () => TEXT_MATCHES[match].pattern(literal(part)));
  }
  return undefined;
}

/** A text as a pattern in which nothing is a wildcard. */
export function likeLiteral(text: SQL): SQL {
  return sql`regexp_replace(${text}, '([\\\\%_])', '\\\\\\1', 'g')`;
}

/** A comparison that is not true of missing values, for which a sort key would stand in. */
function present(compared: SQL, terms: readonly Term[]): SQL {
  const guards = terms.flatMap((term) =>
    term.kind === 'field' && term.field.isNullable ? [sql`${sourceOf(term.field)} IS NOT NULL`] : [],
  );
  return guards.length === 0 ? compared : sql`(${sql.join([compared, ...guards], sql` AND `)})`;
}
