import { type ComparisonOperator, comparisonOperators } from '@takt/query-options';
import type { StoredDecimal } from '@takt/resources';
import { type SQL, sql } from 'drizzle-orm';
import {
  type ComparisonCondition,
  type DecimalTerm,
  numberWithConstant,
  storedOf,
  type Term,
} from './condition.js';
import { missingKeyOf, sortKeyOf } from './field-sql.js';

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
