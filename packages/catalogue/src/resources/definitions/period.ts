import * as schema from '@takt/database/schema';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { askedCompany, askedParameter, type ResourceParameter } from '../resource.js';

/** The months that a request may ask for. Either may be left out. */
export const periodParameters: readonly ResourceParameter[] = [
  {
    name: 'from',
    description:
      'The first month of a period, as yyyy-MM. The figures are then of the operations completed in the period, and only what has at least one is in a list.',
    isRequired: false,
    example: '2025-04',
    month: {},
  },
  {
    name: 'to',
    description: 'The last month of a period, as yyyy-MM; not before `from`.',
    isRequired: false,
    example: '2025-06',
    month: { notBefore: 'from' },
  },
];

/** Whether a parameter, in whatever case it is written, is an end of the period. */
export const isOfPeriod = (name: string): boolean =>
  periodParameters.some((parameter) => parameter.name === name.toLowerCase());

/** The first day of the first month. */
export const firstMonth = sql`(coalesce(${askedParameter('from')}, '0001-01') || '-01')::date`;
/** The first day of the last month. */
export const lastMonth = sql`(coalesce(${askedParameter('to')}, '9999-12') || '-01')::date`;

/** Whether a month, given by its first day, is in the period. */
export const isInPeriod = (month: SQLWrapper): SQL => sql`${month} BETWEEN ${firstMonth} AND ${lastMonth}`;

/** The begin of the period and its end in UTC, moved by days. */
const begin = (days: number) =>
  sql`(${firstMonth} + interval '${sql.raw(String(days))} day') AT TIME ZONE 'UTC'`;
const end = (days: number) =>
  sql`(${lastMonth} + interval '1 month ${sql.raw(String(days))} day') AT TIME ZONE 'UTC'`;

/**
 * Whether an operation was completed in the period: by the time zone in which the months of its structure version are kept,
 * asked for within a day of either end alone.
 */
export const wasInPeriod = (
  operation: Readonly<Record<'companyId' | 'version' | 'completedAt', SQLWrapper>>,
): SQL => {
  const { companyId, version, completedAt } = operation;
  const month = sql`takt.month_of(${completedAt}, takt.time_zone_of(${companyId}, ${version}))`;
  return sql`${completedAt} >= ${begin(-1)} AND ${completedAt} < ${end(1)}
    AND (${completedAt} >= ${begin(1)} AND ${completedAt} < ${end(-1)} OR ${isInPeriod(month)})`;
};

const version = alias(schema.productStructureVersions, 'version');
const monthly = alias(schema.monthlyFigures, 'monthly');

/** A kind of time by its columns, and how many operations of a month reported it. */
const kinds = [
  { kind: 'run', plan: version.runTime, count: monthly.numberOfCompletedOperations, sum: monthly.runTimeSum },
  { kind: 'setup', plan: version.setupTime, count: monthly.setupTimeCount, sum: monthly.setupTimeSum },
  {
    kind: 'cleanup',
    plan: version.cleanupTime,
    count: monthly.cleanupTimeCount,
    sum: monthly.cleanupTimeSum,
  },
] as const;

const column = (name: string): SQL => sql`${sql.identifier(name)}`;

/** The figures of one kind of time, by the names of the columns of takt.product_structure_versions. */
function figuresOf({ kind, plan, count, sum }: (typeof kinds)[number]): readonly (readonly [string, SQL])[] {
  const [n, total] = [sql`coalesce(sum(${count}), 0)::bigint`, sql`coalesce(sum(${sum}), 0)`];
  const monthlyColumn = (name: string) => sql`monthly.${column(name)}`;
  const squares = sql`sum(${monthlyColumn(`${kind}_time_sum_of_squares`)})`;
  return [
    [kind === 'run' ? 'number_of_completed_operations' : `${kind}_time_count`, n],
    [`${kind}_time_sum`, total],
    [`${kind}_time_sum_of_squares`, squares],
    [`shortest_${kind}_time`, sql`min(${monthlyColumn(`shortest_${kind}_time`)})`],
    [`longest_${kind}_time`, sql`max(${monthlyColumn(`longest_${kind}_time`)})`],
    [`average_${kind}_time`, sql`takt.average_microhours(${n}, ${total})`],
    [`deviation_${kind}_time`, sql`takt.population_deviation_microhours(${n}, ${total}, ${squares})`],
    [`${kind}_time_difference`, sql`takt.average_microhours(${n}, ${total}) - ${plan}`],
    [`${kind}_time_over_plan_percent`, sql`takt.percent_over_plan(${n}, ${total}, ${plan})`],
    [
      `${kind}_time_hours_over_plan`,
      sql`takt.within_bigint(takt.microhours_over_plan(${n}, ${total}, ${plan}))`,
    ],
  ];
}

const planArguments = sql.join(
  kinds.flatMap(({ plan, count }) => [count, plan]),
  sql`, `,
);
/** Microhours planned for the operations. */
const planned = sql`coalesce(sum(takt.planned_of_few(${planArguments})), 0) + coalesce(sum(takt.planned_of_many(${planArguments})), 0)`;
/** Hours of a month, of the kinds of time that have a plan. */
const plannedKinds = sql.join(
  kinds.map(({ plan, sum }) => sql`CASE WHEN ${plan} IS NULL THEN 0 ELSE ${sum} END`),
  sql` + `,
);
/**
 * Summed over the kinds in each month, not over the months in each kind: one sum of a numeric instead of three, which take
 * half of the time of a list.
 */
const hoursOverPlan = sql`takt.within_bigint(CASE WHEN coalesce(${version.runTime}, ${version.setupTime}, ${version.cleanupTime}) IS NOT NULL
  THEN 1000000 * coalesce(sum(${plannedKinds}), 0) - (${planned}) END)`;

const ofVersion = [
  ...['company_id', 'product_structure_version_id', 'changed_at', 'status', 'name', 'version', 'revision'],
  ...['product_id', 'product_name', 'run_time', 'setup_time', 'cleanup_time'],
].map((name) => sql`version.${column(name)}`);

const ofPeriod = [
  ...kinds.flatMap(figuresOf),
  ['hours_over_plan', hoursOverPlan] as const,
  ['planned_of_period', planned] as const,
].map(([name, value]) => sql`${value} AS ${column(name)}`);

/** Microhours planned for the operations of a structure version in the period: a column beside the figures. */
export const plannedOfPeriod = sql`listed.planned_of_period`;

const ofMonths = sql`${monthly.companyId} = ${askedCompany} AND ${isInPeriod(monthly.month)} AND ${monthly.numberOfCompletedOperations} > 0`;

/** The structure versions with an operation in the period, without figures. */
export const structureVersionsWithin = sql`(SELECT ${sql.join(ofVersion, sql`, `)}
    FROM ${schema.productStructureVersions} AS version
    WHERE ${version.companyId} = ${askedCompany} AND ${version.changedAt} IS NOT NULL AND EXISTS (
      SELECT FROM ${schema.monthlyFigures} AS monthly
      WHERE ${ofMonths} AND ${monthly.productStructureVersionId} = ${version.productStructureVersionId}))`;

/**
 * Structure versions with the figures of the operations completed in the period, by the columns of
 * takt.product_structure_versions: the figures of its months, added up. A statement that reads few of these columns
 * computes no others.
 * @param key of the only one that is wanted, also without an operation; absent: all with one
 */
export function structureVersionsInPeriod(key?: SQLWrapper): SQL {
  const joined = sql`JOIN ${schema.monthlyFigures} AS monthly
        ON ${ofMonths} AND ${monthly.productStructureVersionId} = ${version.productStructureVersionId}`;
  const ofKey = key === undefined ? sql`` : sql` AND ${version.productStructureVersionId} = ${key}`;
  return sql`(SELECT ${sql.join([...ofVersion, ...ofPeriod], sql`, `)}
    FROM ${schema.productStructureVersions} AS version ${key === undefined ? sql`` : sql`LEFT `}${joined}
    WHERE ${version.companyId} = ${askedCompany} AND ${version.changedAt} IS NOT NULL${ofKey}
    GROUP BY ${version.companyId}, ${version.productStructureVersionId})`;
}
