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
} from '../plan/condition.js';
import type { Column } from '../plan/outline.js';
import { QUOTIENT_DECIMALS } from '../plan/resolve-filter.js';

/**
 * The column or SQL expression from which a field is read. A field by which lists can be filtered or sorted always has
 * such a source.
 */
export function sourceOf(field: Field): NonNullable<Field['source']> {
  if (field.source === undefined) throw new Error(`${field.name} is not read from the database`);
  return field.source;
}

/**
 * The SQL of a field's sort key. It must be written exactly as in the field's index. A missing decimal gets a sort key
 * less than that of any value: -1 if the values are never negative, otherwise the least bigint. So missing values come
 * first in ascending order and last in descending order, and the start of a page is found by a plain comparison of
 * rows. A missing text is sorted like an empty text. For decimals, COALESCE would give the same result as GREATEST, but
 * under row-level security PostgreSQL does not use COALESCE as an index condition.
 */
export function sortKeyOf(field: Field): SQL {
  if (field.sorting !== undefined) return sql`${field.sorting.key}`;
  if (!field.isNullable) return sql`${sourceOf(field)}`;
  if (field.type === 'text') return sql`coalesce(${sourceOf(field)}, '')`;
  if (field.stored === undefined) throw new Error(`${field.name} has no order for its missing values`);
  return field.stored.isSigned
    ? sql`greatest(${sourceOf(field)}, '-9223372036854775808'::bigint)`
    : sql`greatest(${sourceOf(field)}, -1)`;
}

/** The SQL of the sort key of a missing decimal. */
function missingKeyOf({ isSigned }: StoredDecimal): SQL {
  return isSigned ? sql`'-9223372036854775808'::bigint` : sql`'-1'::bigint`;
}

/**
 * Prepares a sort key for JSON. It becomes a text if it may have more digits than a JavaScript number represents
 * exactly.
 */
export function sortKeyAsJson(field: Field, sortKey: SQL): SQL {
  return field.stored?.isSigned ? sql`${sortKey}::text` : sortKey;
}

/**
 * The SQL of a value in a JSON row. Numbers keep the unit in which they are stored; an instant is written as text, in
 * UTC.
 */
export function columnSql(column: Column): SQL {
  if (column.kind === 'collection') {
    if (column.source === undefined) throw new Error(`${column.name} is not read from the database`);
    return sql`${column.source(column.item())}`;
  }
  const source = sourceOf(column);
  if (column.type !== 'instant') return sql`${source}`;
  return sql`to_char(${source} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** The SQL names of types, for casts. */
export const TYPES: Readonly<Record<BoundType, SQL>> = {
  bigint: sql`bigint`,
  numeric: sql`numeric`,
  text: sql`text`,
  boolean: sql`boolean`,
  instant: sql`timestamptz`,
};

/**
 * Folds a text, so that comparisons ignore case by the rules of all languages, and find no difference between composed
 * and decomposed characters. Normalizing takes twice as long as folding, so an ASCII text skips it. That test repeats the
 * SQL of the text, so it is only made if the text is a column or a value.
 */
export function folded(text: SQL, isColumnOrValue = false): SQL {
  const fold = sql`casefold(${text} COLLATE "und-x-icu")`;
  if (!isColumnOrValue) return sql`normalize(${fold})`;
  return sql`CASE WHEN octet_length(${text}) = length(${text}) THEN ${fold} ELSE normalize(${fold}) END`;
}

/** The white space that the function trim removes. It is the same as in the other parts of Takt. */
const WHITE_SPACE = sql`E' \\t\\n\\r\\f\\v\\u00a0'`;

/**
 * Writes the call of a function of a filter. Each argument appears only once in the SQL; otherwise the SQL of nested
 * calls would grow exponentially.
 */
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
/**
 * The third argument of substring, the number of characters, if the client omits it. No text has so many characters.
 */
const ALL_CHARACTERS = sql`2147483647`;

/**
 * Writes arithmetic on values of the type numeric, which is exact. A division by zero gives null. div() truncates, so a
 * quotient is never rounded.
 */
const OPERATIONS: Readonly<Record<ArithmeticOperator, (left: SQL, right: SQL) => SQL>> = {
  add: (left, right) => sql`(${left} + ${right})`,
  sub: (left, right) => sql`(${left} - ${right})`,
  mul: (left, right) => sql`(${left} * ${right})`,
  div: (left, right) => sql`(div(${left} * 1e${DECIMALS}, nullif(${right}, 0)) * 1e-${DECIMALS})`,
  mod: (left, right) => sql`mod(${left}, nullif(${right}, 0))`,
};

const DECIMALS = sql.raw(String(QUOTIENT_DECIMALS));

/**
 * Writes the SQL of an operand. Fields have the values that are served: exact decimals, and null for a missing value.
 * @param columnOf returns the SQL of the column that contains a field's value
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
      // The defaults only fill up arguments that the function does not need: the parser has checked the number of
      // arguments.
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

function unitOf({ decimals }: StoredDecimal): SQL {
  return sql.raw((1 / 10 ** decimals).toFixed(decimals));
}

/** Casts whole numbers to numeric, because the product of two bigints may overflow. */
function numericSql(term: Term, write: (term: Term) => SQL): SQL {
  const isWhole =
    (term.kind === 'field' && term.field.type === 'integer') ||
    (term.kind === 'call' && ['length', 'indexof'].includes(term.function));
  return isWhole ? sql`${write(term)}::numeric` : write(term);
}

/** The SQL of a comparison operator. It comes from the table of operators, never from a client's text. */
export const signOf = (operator: ComparisonOperator): SQL => sql.raw(comparisonOperators[operator].sign);

type UnitsOf = (value: SQL, stored: StoredDecimal) => SQL;

// The numbers that are written into the SQL here come from the definition of a field, never from a client.
const decimalsSql = ({ decimals }: StoredDecimal): SQL => sql.raw(String(decimals));
const smallestSql = ({ isSigned }: StoredDecimal): SQL => (isSigned ? sql`-9223372036854775807` : sql`0`);

const sameUnits: UnitsOf = (value, stored) =>
  sql`takt.same_units(${value}, ${decimalsSql(stored)}, ${smallestSql(stored)})`;
const floorUnits: UnitsOf = (value, stored) => sql`takt.floor_units(${value}, ${decimalsSql(stored)})`;
const ceilingUnits: UnitsOf = (value, stored) => sql`takt.ceiling_units(${value}, ${decimalsSql(stored)})`;

/** For each operator, a function that converts any number to the integer with which the stored numbers are compared. */
const UNITS: Readonly<Record<ComparisonOperator, UnitsOf>> = {
  eq: sameUnits,
  ne: sameUnits,
  gt: floorUnits,
  le: floorUnits,
  lt: ceilingUnits,
  ge: ceilingUnits,
};

/**
 * Compares a stored number with a constant. It compares the field's sort key with a whole number of stored units, so
 * that PostgreSQL can use the field's index. As far as possible the matching rows are contiguous in the index. Returns
 * undefined if the comparison is not a stored number with a constant.
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
    // With `eq`, missing values need no extra test: their sort key never equals the converted value.
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

/**
 * A condition that is true if a number is in a list of values. Returns undefined if the term is not a number column of
 * the list.
 */
export function listedNumberSql(term: Term, values: SQL): SQL | undefined {
  const stored = storedOf(term);
  if (stored === undefined || term.kind !== 'field') return undefined;
  // Missing values need no extra test: their sort key is never among the converted values.
  return sql`${sortKeyOf(term.field)} = ANY (${UNITS.eq(values, stored)})`;
}

/**
 * A condition that is true if a decimal is missing or, with `isNegated`, if it is present. It tests the sort key, so
 * that PostgreSQL can use the field's index.
 */
export function absentDecimalSql(field: DecimalTerm['field'], isNegated: boolean): SQL {
  const missing = missingKeyOf(field.stored);
  return isNegated ? sql`${sortKeyOf(field)} > ${missing}` : sql`${sortKeyOf(field)} = ${missing}`;
}
