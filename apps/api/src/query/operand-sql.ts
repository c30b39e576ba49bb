import type { Field, StoredDecimal } from '@takt/catalogue/resources';
import {
  type ArithmeticOperator,
  type ComparisonOperator,
  comparisonOperators,
  type ValueFunctionName,
} from '@takt/query';
import { type SQL, sql } from 'drizzle-orm';
import {
  type BoundType,
  type ComparisonCondition,
  type DecimalTerm,
  numberWithConstant,
  storedOf,
  type Term,
} from './condition.js';
import type { Column } from './outline.js';
import { QUOTIENT_DECIMALS } from './resolve-filter.js';

/** The column or expression of a field. Every field that is filtered or ordered by has one. */
export function sourceOf(field: Field): NonNullable<Field['source']> {
  if (field.source === undefined) throw new Error(`${field.name} is not read from the database`);
  return field.source;
}

/**
 * What rows are ordered by, as the indexes have it: a missing decimal counts as less than any that there can be, which is
 * -1 where none is negative, and else the least bigint. So a null comes first ascending and last descending, and a keyset
 * is a plain row comparison. A missing text is ordered as an empty one. COALESCE would say the same, but is no condition that PostgreSQL asks an index for where
 * row-level security hides rows.
 */
export function sortKeyOf(field: Field): SQL {
  if (!field.isNullable) return sql`${sourceOf(field)}`;
  if (field.type === 'text') return sql`coalesce(${sourceOf(field)}, '')`;
  if (field.stored === undefined) throw new Error(`${field.name} has no order for its missing values`);
  return field.stored.isSigned
    ? sql`greatest(${sourceOf(field)}, '-9223372036854775808'::bigint)`
    : sql`greatest(${sourceOf(field)}, -1)`;
}

/** The sort key of a missing decimal, which is less than any other. */
function missingKeyOf({ isSigned }: StoredDecimal): SQL {
  return isSigned ? sql`'-9223372036854775808'::bigint` : sql`'-1'::bigint`;
}

/** A sort key as JSON keeps it: one that may have more digits than a JavaScript number holds is text. */
export function sortKeyAsJson(field: Field, sortKey: SQL): SQL {
  return field.stored?.isSigned ? sql`${sortKey}::text` : sortKey;
}

/** What is read for a value of a row, as JSON takes it: numbers as they are stored, an instant as text in UTC. */
export function columnSql(column: Column): SQL {
  if (column.kind === 'collection') {
    if (column.source === undefined) throw new Error(`${column.name} is not read from the database`);
    return sql`${column.source(column.item())}`;
  }
  const source = sourceOf(column);
  if (column.type !== 'instant') return sql`${source}`;
  return sql`to_char(${source} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** Types by name, for casts. */
export const TYPES: Readonly<Record<BoundType, SQL>> = {
  bigint: sql`bigint`,
  numeric: sql`numeric`,
  text: sql`text`,
  boolean: sql`boolean`,
  instant: sql`timestamptz`,
};

/** Text is compared without regard to case, by the rules of all languages at once. */
export function folded(text: SQL): SQL {
  return sql`casefold(${text} COLLATE "und-x-icu")`;
}

/** White space at both ends, as text is trimmed elsewhere. */
const WHITE_SPACE = sql`E' \\t\\n\\r\\f\\v\\u00a0'`;

/** Each argument once: an expression that stands twice at every level would grow without end. */
const FUNCTIONS: Readonly<Record<ValueFunctionName, (first: SQL, second: SQL, third: SQL) => SQL>> = {
  tolower: (text) => sql`lower(${text} COLLATE "und-x-icu")`,
  toupper: (text) => sql`upper(${text} COLLATE "und-x-icu")`,
  trim: (text) => sql`btrim(${text}, ${WHITE_SPACE})`,
  concat: (text, more) => sql`(${text} || ${more})`,
  substring: (text, place, characters) => sql`takt.part_of_text(${text}, ${place}, ${characters})`,
  length: (text) => sql`length(${text})`,
  indexof: (text, part) => sql`takt.place_in_text(${text}, ${part})`,
  round: (number) => sql`round(${number})`,
  floor: (number) => sql`floor(${number})`,
  ceiling: (number) => sql`ceil(${number})`,
};

const MISSING = sql`NULL`;
/** More characters than any text has: what a third argument that is not given stands for. */
const ALL_CHARACTERS = sql`2147483647`;

/** On numerics, which are exact. A division by zero is missing; div() cuts off, so a quotient is rounded nowhere. */
const OPERATIONS: Readonly<Record<ArithmeticOperator, (left: SQL, right: SQL) => SQL>> = {
  add: (left, right) => sql`(${left} + ${right})`,
  sub: (left, right) => sql`(${left} - ${right})`,
  mul: (left, right) => sql`(${left} * ${right})`,
  div: (left, right) => sql`(div(${left} * 1e${DECIMALS}, nullif(${right}, 0)) * 1e-${DECIMALS})`,
  mod: (left, right) => sql`mod(${left}, nullif(${right}, 0))`,
};

const DECIMALS = sql.raw(String(QUOTIENT_DECIMALS));

/**
 * An operand with the values of its fields as they are served, decimals exact, missing ones null.
 * @param columnOf where the value of a field is read
 */
export function operandSql(
  term: Term,
  placeholderOf: (value: number) => SQL,
  columnOf: (field: Field) => SQL,
): SQL {
  const write = (inner: Term): SQL => operandSql(inner, placeholderOf, columnOf);
  switch (term.kind) {
    case 'field':
      return term.field.stored === undefined
        ? columnOf(term.field)
        : sql`(${columnOf(term.field)} * ${unitOf(term.field.stored)})`;
    case 'value':
      return sql`${placeholderOf(term.value)}::${TYPES[term.type]}`;
    case 'missing':
      return sql`NULL::${TYPES[term.type]}`;
    case 'call': {
      // As many as the function needs are there: the parser saw to that.
      const [first = MISSING, second = MISSING, third = ALL_CHARACTERS] = term.arguments.map((argument) =>
        numericSql(argument, write),
      );
      return FUNCTIONS[term.function](first, second, third);
    }
    case 'arithmetic':
      return OPERATIONS[term.operator](numericSql(term.left, write), numericSql(term.right, write));
    case 'negative':
      return sql`(- ${numericSql(term.term, write)})`;
  }
}

/** The unit that a decimal is stored in, as a number. */
function unitOf({ decimals }: StoredDecimal): SQL {
  return sql.raw((1 / 10 ** decimals).toFixed(decimals));
}

/** Whole numbers of the database end where a product of two does not. */
function numericSql(term: Term, write: (term: Term) => SQL): SQL {
  const isWhole =
    (term.kind === 'field' && term.field.type === 'integer') ||
    (term.kind === 'call' && ['length', 'indexof'].includes(term.function));
  return isWhole ? sql`${write(term)}::numeric` : write(term);
}

/** A sign of the table, never of a client. */
export const signOf = (operator: ComparisonOperator): SQL => sql.raw(comparisonOperators[operator].sign);

type UnitsOf = (value: SQL, stored: StoredDecimal) => SQL;

// Numbers of a definition, never of a client.
const decimalsSql = ({ decimals }: StoredDecimal): SQL => sql.raw(String(decimals));
const smallestSql = ({ isSigned }: StoredDecimal): SQL => (isSigned ? sql`-9223372036854775807` : sql`0`);

const sameUnits: UnitsOf = (value, stored) =>
  sql`takt.same_units(${value}, ${decimalsSql(stored)}, ${smallestSql(stored)})`;
const floorUnits: UnitsOf = (value, stored) => sql`takt.floor_units(${value}, ${decimalsSql(stored)})`;
const ceilingUnits: UnitsOf = (value, stored) => sql`takt.ceiling_units(${value}, ${decimalsSql(stored)})`;

/** What a number, which is stored in whole units, is compared with in place of any number. */
const UNITS: Readonly<Record<ComparisonOperator, UnitsOf>> = {
  eq: sameUnits,
  ne: sameUnits,
  gt: floorUnits,
  le: floorUnits,
  lt: ceilingUnits,
  ge: ceilingUnits,
};

/**
 * A number compared with what is the same for all rows, as it is indexed: in whole units, a missing one as its sort key.
 * Where the index orders the rows, all that meet it stand together, whenever they can.
 */
export function comparedNumberSql(
  condition: ComparisonCondition,
  write: (term: Term) => SQL,
): SQL | undefined {
  const compared = numberWithConstant(condition);
  if (compared === undefined) return undefined;
  const { field, stored, operator, constant } = compared;
  const isInUnits = stored.decimals === 0 && constant.kind === 'value' && constant.type === 'bigint';
  const units = isInUnits ? write(constant) : UNITS[operator](write(constant), stored);
  const key = sortKeyOf(field);
  const met = sql`${key} ${signOf(operator)} ${units}`;
  if (!field.isNullable) return met;
  if (!condition.orMissing) {
    // Nothing is as much as a missing one.
    return operator === 'eq' ? met : sql`(${met} AND ${key} > ${missingKeyOf(stored)})`;
  }
  switch (operator) {
    case 'ne':
      return met;
    case 'lt':
      return sql`${key} < greatest(${units}, ${smallestSql(stored)})`;
    case 'le':
      return sql`${key} <= greatest(${units}, ${missingKeyOf(stored)})`;
    default:
      return sql`(${met} OR ${key} = ${missingKeyOf(stored)})`;
  }
}

/** A number that is one of a list of values; undefined for what is no number of the list itself. */
export function listedNumberSql(term: Term, values: SQL): SQL | undefined {
  const stored = storedOf(term);
  if (stored === undefined || term.kind !== 'field') return undefined;
  // No sort key of a missing one is among these.
  return sql`${sortKeyOf(term.field)} = ANY (${UNITS.eq(values, stored)})`;
}

/** Whether a decimal is missing, as its index knows it. */
export function absentDecimalSql(field: DecimalTerm['field'], isNegated: boolean): SQL {
  const missing = missingKeyOf(field.stored);
  return isNegated ? sql`${sortKeyOf(field)} > ${missing}` : sql`${sortKeyOf(field)} = ${missing}`;
}
