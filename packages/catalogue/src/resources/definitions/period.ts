import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import { type ResourceParameter, requestedCompany, requestedParameter } from '../resource.js';

/** The parameters for the first and the last month of a period. Both are optional. */
export const periodParameters: readonly ResourceParameter[] = [
  {
    name: 'from',
    description:
      'The first month of a period, as yyyy-MM. The figures are then of the operations completed in the period, and a list contains only rows with at least one.',
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

/**
 * The parameters for the first and the last month of a second period, with which the first period is compared. Both are
 * optional.
 */
export const comparisonParameters: readonly ResourceParameter[] = [
  {
    name: 'compareFrom',
    description:
      'The first month of a second period, as yyyy-MM. With it or `compareTo` each row also has the figures of the second period, and the changes.',
    isRequired: false,
    example: '2025-01',
    month: {},
  },
  {
    name: 'compareTo',
    description: 'The last month of the second period, as yyyy-MM; not before `compareFrom`.',
    isRequired: false,
    example: '2025-03',
    month: { notBefore: 'compareFrom' },
  },
];

const isOneOf = (parameters: readonly ResourceParameter[], name: string): boolean =>
  parameters.some((parameter) => parameter.name.toLowerCase() === name.toLowerCase());

export const isOfComparison = (name: string): boolean => isOneOf(comparisonParameters, name);

/** True if the name is that of a parameter of the first or the second period. Case does not matter. */
export const isOfPeriods = (name: string): boolean => isOneOf(periodParameters, name) || isOfComparison(name);

const firstDay = (from: string) => sql`(coalesce(${requestedParameter(from)}, '0001-01') || '-01')::date`;
const lastDay = (to: string) => sql`(coalesce(${requestedParameter(to)}, '9999-12') || '-01')::date`;

export const [firstMonth, lastMonth] = [firstDay('from'), lastDay('to')];

/** SQL that is true if a month is in the period. The month is given by its first day. */
export const isInPeriod = (month: SQLWrapper): SQL => sql`${month} BETWEEN ${firstMonth} AND ${lastMonth}`;

/** SQL that is true as soon as the last month of the period is over in the time zone of the company. */
export const lastMonthIsOver = sql`(${lastMonth} + interval '1 month' <= now() AT TIME ZONE takt.time_zone_of(${requestedCompany}, 0))`;

/** SQL for the start and the end of the period in UTC, each shifted by a number of days. */
const begin = (days: number) =>
  sql`(${firstMonth} + interval '${sql.raw(String(days))} day') AT TIME ZONE 'UTC'`;
const end = (days: number) =>
  sql`(${lastMonth} + interval '1 month ${sql.raw(String(days))} day') AT TIME ZONE 'UTC'`;

/**
 * SQL that is true for an operation that was completed in the period, in the time zone of the months of the operation's
 * structure version. This time zone is looked up only if the operation was completed less than a day before or after
 * the start or the end of the period.
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

/**
 * The kinds of time. For each, there is the column with its plan, the column with the number of operations that
 * reported it, and the column with the sum of the reported times.
 */
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

/**
 * The figures of one kind of time for the period. They have the same names as the columns of
 * takt.product_structure_versions.
 */
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
const planned = sql`coalesce(sum(takt.planned_of_few(${planArguments})), 0) + coalesce(sum(takt.planned_of_many(${planArguments})), 0)`;
/** SQL for the reported hours of one month. Kinds of time without a plan are not counted. */
const plannedKinds = sql.join(
  kinds.map(({ plan, sum }) => sql`CASE WHEN ${plan} IS NULL THEN 0 ELSE ${sum} END`),
  sql` + `,
);
/**
 * SQL for the hours over plan, in microhours. The hours of all kinds of time are first added up within each month. So
 * only one numeric sum is needed instead of three, which would take half of the list's time.
 */
const hoursOverPlan = sql`takt.within_bigint(CASE WHEN coalesce(${version.runTime}, ${version.setupTime}, ${version.cleanupTime}) IS NOT NULL
  THEN 1000000 * coalesce(sum(${plannedKinds}), 0) - (${planned}) END)`;

const isAnyPlanned = sql`bool_or(coalesce(${version.runTime}, ${version.setupTime}, ${version.cleanupTime}) IS NOT NULL)`;
/** SQL for the sums of many structure versions over the same month, in microhours: null if none has a plan. */
export const hoursOfMonths = {
  planned: sql`takt.within_bigint(CASE WHEN ${isAnyPlanned} THEN ${planned} END)`,
  overPlan: sql`takt.within_bigint(CASE WHEN ${isAnyPlanned} THEN 1000000 * coalesce(sum(${plannedKinds}), 0) - (${planned}) END)`,
};

const ofVersion = [
  'company_id',
  'product_structure_version_id',
  'changed_at',
  'status',
  'name',
  'version',
  'revision',
  'product_id',
  'product_name',
  'run_time',
  'setup_time',
  'cleanup_time',
  'product_structure_version_key',
  'product_key',
].map((name) => sql`version.${column(name)}`);

const ofPeriod = [
  ...kinds.flatMap(figuresOf),
  ['hours_over_plan', hoursOverPlan] as const,
  ['planned_of_period', planned] as const,
].map(([name, value]) => sql`${value} AS ${column(name)}`);

/** The column with the microhours that were planned for a structure version's operations in the period. */
export const plannedOfPeriod = sql`listed.planned_of_period`;

const ofMonths = sql`${monthly.companyId} = ${requestedCompany} AND ${isInPeriod(monthly.month)} AND ${monthly.numberOfCompletedOperations} > 0`;

/** SQL for the newest month of the company that has operations, as `yyyy-MM`; null if there is none. */
export const newestMonth: SQLWrapper = sql`(SELECT to_char(max(${monthly.month}), 'YYYY-MM') FROM ${schema.monthlyFigures} AS monthly
    WHERE ${monthly.companyId} = ${requestedCompany} AND ${monthly.numberOfCompletedOperations} > 0)`;

/** SQL for the structure versions that have operations in the period. It does not compute their figures. */
export const structureVersionsWithin = sql`(SELECT ${sql.join(ofVersion, sql`, `)}
    FROM ${schema.productStructureVersions} AS version
    WHERE ${version.companyId} = ${requestedCompany} AND ${version.changedAt} IS NOT NULL AND EXISTS (
      SELECT FROM ${schema.monthlyFigures} AS monthly
      WHERE ${ofMonths} AND ${monthly.productStructureVersionId} = ${version.productStructureVersionId}))`;

/**
 * SQL for the structure versions with their figures for a period. The figures are computed from the months of the
 * period, and the columns have the same names as in takt.product_structure_versions. PostgreSQL does not compute a
 * column that is not used.
 * @param key the key of a single structure version, which is returned even if it has no operations in the period; if
 * absent, all structure versions with operations are returned
 */
export function structureVersionsInPeriod(key?: SQLWrapper): SQL {
  const joined = sql`JOIN ${schema.monthlyFigures} AS monthly
        ON ${ofMonths} AND ${monthly.productStructureVersionId} = ${version.productStructureVersionId}`;
  const ofKey = key === undefined ? sql`` : sql` AND ${version.productStructureVersionId} = ${key}`;
  return sql`(SELECT ${sql.join([...ofVersion, ...ofPeriod], sql`, `)}
    FROM ${schema.productStructureVersions} AS version ${key === undefined ? sql`` : sql`LEFT `}${joined}
    WHERE ${version.companyId} = ${requestedCompany} AND ${version.changedAt} IS NOT NULL${ofKey}
    GROUP BY ${version.companyId}, ${version.productStructureVersionId})`;
}

const otherOf = (kind: Kind) => ({
  n: sql`coalesce(other.${column(`${kind}_count`)}, 0)`,
  total: sql`coalesce(other.${column(`${kind}_sum`)}, 0)`,
});

type Kind = (typeof kinds)[number]['kind'];

/**
 * The figures of one kind of time in the second period, and the change between the periods. Each figure has the name of
 * its column.
 */
function comparedOf({ kind }: (typeof kinds)[number]): readonly (readonly [string, SQL])[] {
  const { n, total } = otherOf(kind);
  const count = kind === 'run' ? 'number_of_completed_operations' : `${kind}_time_count`;
  const plan = sql`period.${column(`${kind}_time`)}`;
  return [
    [`compared_${kind}_time_count`, n],
    [`compared_average_${kind}_time`, sql`takt.average_microhours(${n}, ${total})`],
    [
      `compared_${kind}_time_hours_over_plan`,
      sql`takt.within_bigint(takt.microhours_over_plan(${n}, ${total}, ${plan}))`,
    ],
    [
      `${kind}_time_change`,
      sql`takt.percent_change(period.${column(count)}, period.${column(`${kind}_time_sum`)}, ${n}, ${total})`,
    ],
  ];
}

const hoursOfKinds = sql.join(
  kinds.map(({ kind }) => {
    const { n, total } = otherOf(kind);
    return sql`coalesce(takt.microhours_over_plan(${n}, ${total}, period.${column(`${kind}_time`)}), 0)`;
  }),
  sql` + `,
);

const comparedHours = sql`CASE WHEN coalesce(period.run_time, period.setup_time, period.cleanup_time) IS NOT NULL THEN ${hoursOfKinds} END`;

const comparedColumns = [
  ...kinds.flatMap(comparedOf),
  ['compared_hours_over_plan', sql`takt.within_bigint(${comparedHours})`] as const,
].map(([name, value]) => sql`${value} AS ${column(name)}`);

/**
 * SQL for a table that PostgreSQL computes once. Without statistics, as after an import or a restore, it expects a
 * single row and would compute the table again for each row that it is joined with.
 */
const computedOnce = (select: SQL): SQL =>
  sql`(WITH computed AS MATERIALIZED (${select}) SELECT * FROM computed)`;

/** SQL for the sums of a structure version over the months of the second period. */
const secondPeriod = (ofKey = sql``): SQL => {
  const sums = kinds.map(
    ({ kind, count, sum }) =>
      sql`sum(${count})::bigint AS ${column(`${kind}_count`)}, sum(${sum}) AS ${column(`${kind}_sum`)}`,
  );
  return computedOnce(sql`
      SELECT ${monthly.productStructureVersionId} AS id, ${sql.join(sums, sql`, `)}
      FROM ${schema.monthlyFigures} AS monthly
      WHERE ${monthly.companyId} = ${requestedCompany} AND ${monthly.month} BETWEEN ${firstDay('compareFrom')} AND ${lastDay('compareTo')}${ofKey}
      GROUP BY ${monthly.productStructureVersionId}`);
};

/**
 * SQL for the hours over plan of each product in the second period, in microhours; null if nothing is planned. It has all
 * structure versions of the product: also those that were not made in the first period, whose hours are a part of the
 * change.
 */
export const productsInSecondPeriod: SQL =
  computedOnce(sql`SELECT period.company_id, period.product_id, sum(${comparedHours}) AS hours
    FROM ${schema.productStructureVersions} AS period
    JOIN ${secondPeriod()} AS other ON other.id = period.product_structure_version_id
    WHERE period.company_id = ${requestedCompany} AND period.changed_at IS NOT NULL
    GROUP BY period.company_id, period.product_id`);

/**
 * SQL for the same rows as structureVersionsInPeriod, with additional columns for a second period. The first period
 * alone determines the rows.
 * @param key as in structureVersionsInPeriod
 */
export function structureVersionsCompared(key?: SQLWrapper): SQL {
  const ofKey = key === undefined ? sql`` : sql` AND ${monthly.productStructureVersionId} = ${key}`;
  return sql`(SELECT period.*, ${sql.join(comparedColumns, sql`, `)}
    FROM ${structureVersionsInPeriod(key)} AS period
    LEFT JOIN ${secondPeriod(ofKey)} AS other ON other.id = period.product_structure_version_id)`;
}
