import type { ArithmeticOperator, ValueFunctionName } from '@takt/query-options';
import type { Field, StoredDecimal } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import type { BoundType, Term } from './condition.js';
import { QUOTIENT_DECIMALS } from './resolve-operand.js';

/** Types by name, for casts. */
export const TYPES: Readonly<Record<BoundType, SQL>> = {
  bigint: sql`bigint`,
  numeric: sql`numeric`,
  text: sql`text`,
  boolean: sql`boolean`,
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
