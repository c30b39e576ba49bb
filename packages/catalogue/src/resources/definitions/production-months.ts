import { inEveryLanguage } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import type { Node } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import {
  detailResource,
  listResource,
  requestedCompany,
  requestedIdentifier,
  storedIn,
} from '../resource.js';
import { aggregatedProductionTimes } from './aggregated-production-times.js';
import { planHeadings, headings as productionTimesHeadings } from './aggregated-production-times-headings.js';
import { itemsSql } from './items-sql.js';
import { isInPeriod, periodParameters, structureVersionsInPeriod } from './period.js';
import { listed } from './product-structure-version.js';
import { ofStructureVersion, plannedOf } from './product-structure-versions.js';

export const headings = {
  ...productionTimesHeadings,
  ...inEveryLanguage('production-months', {
    ProductionTimesOfVersion: 'Production times of a structure version',
    ProductionTimesOfVersionSummary:
      'Every figure of one structure version beside its plan, with the last completion and the months.',
    LastCompletedAt: 'Last completion',
    MonthsLink: 'Link to the months',
    WorkOrderOperationsLink: 'Link to the operations',
    DistributionLink: 'Link to the distribution',
    Months: 'Months',
    Month: 'Month',
    AggregatedProductionTimeMonths: 'Production times by month',
    MonthsSummary: 'Actual times by month for one structure version, newest month first.',
  }),
};

const { collection, group, hours, instant, integer, link, signedHours, text } = fieldBuilders({
  ...headings,
  ...planHeadings,
});

const monthly = alias(schema.monthlyFigures, 'monthly');

/**
 * The fields with the actual times of one kind in a month. `count` is the SQL of the number of operations that reported
 * this time.
 */
function actual(kind: 'Run' | 'Setup' | 'Cleanup', count: SQLWrapper) {
  const noun = `${kind.toLowerCase()} time`;
  const [sum, squares] = [monthly[sumOf(kind)], monthly[`${sumOf(kind)}OfSquares`]];
  return [
    hours(`Average${kind}Time`, `Average ${noun} in hours.`, sql`takt.average_microhours(${count}, ${sum})`),
    hours(`Shortest${kind}Time`, `Shortest ${noun} in hours.`, monthly[`shortest${kind}Time`]),
    hours(`Longest${kind}Time`, `Longest ${noun} in hours.`, monthly[`longest${kind}Time`]),
    hours(
      `Deviation${kind}Time`,
      `Deviation of ${noun} in hours: the population standard deviation.`,
      sql`takt.population_deviation_microhours(${count}, ${sum}, ${squares})`,
    ),
  ];
}

/** The field with the hours over the present plan, for one kind of time. */
function hoursOverPlan(kind: 'Run' | 'Setup' | 'Cleanup', count: SQLWrapper) {
  const noun = `${kind.toLowerCase()} time`;
  const planned = plannedOf(kind.toLowerCase() as Lowercase<typeof kind>);
  return signedHours(
    `${kind}TimeHoursOverPlan`,
    `Hours over the present plan of the month's operations: the sum of ${noun} minus the number of reporting operations times the plan.`,
    sql`takt.within_bigint(${monthly[sumOf(kind)]} * 1000000 - ${count} * ${planned}::numeric)`,
  );
}

const sumOf = (kind: 'Run' | 'Setup' | 'Cleanup') =>
  (({ Run: 'runTimeSum', Setup: 'setupTimeSum', Cleanup: 'cleanupTimeSum' }) as const)[kind];

const key = text('Month', 'Calendar month of completion in the time zone of the company, as yyyy-MM.', {
  from: sql`to_char(${monthly.month}, 'YYYY-MM')`,
  queryName: true,
});

const monthFields = [
  key,
  integer(
    'NumberOfCompletedProductionWorkOrders',
    'Number of completed work order operations taken into the average calculation.',
    { from: monthly.numberOfCompletedOperations, queryName: true },
  ),
  group('Processing', 'Actual processing.', actual('Run', monthly.numberOfCompletedOperations)),
  group('Changeover', 'Actual changeover.', [
    group('Setup', 'Actual setup.', actual('Setup', monthly.setupTimeCount)),
    group('Cleanup', 'Actual cleanup.', actual('Cleanup', monthly.cleanupTimeCount)),
  ]),
];

/**
 * A condition that hides months without operations. A month still has a row if all of its operations have been moved or
 * reopened.
 */
const hasOperations = sql`${monthly.numberOfCompletedOperations} > 0`;
const ofListed = sql`${monthly.companyId} = ${requestedCompany} AND ${monthly.productStructureVersionId} = ${listed.productStructureVersionId} AND ${hasOperations}`;

/** The maximum number of months in an object, which is ten years. Older months are in the list of months. */
const MAX_MONTHS = 120;

const month = group('Month', 'Actual times of the operations completed in the month, in hours.', [
  ...monthFields,
  group(
    'PlanComparison',
    'Actual times of the month compared with the present plan; missing without a plan.',
    [
      hoursOverPlan('Run', monthly.numberOfCompletedOperations),
      hoursOverPlan('Setup', monthly.setupTimeCount),
      hoursOverPlan('Cleanup', monthly.cleanupTimeCount),
    ],
    { duty: 'read-planned-times', expandedBy: 'PlanComparison' },
  ),
]);

const path = `${ofStructureVersion.path}/aggregated-production-times`;
const behind = {
  distribution: `${path}/distribution`,
  operations: `${ofStructureVersion.path}/work-order-operations`,
};
const { clientPermission, comparisons, duty, fields, source } = aggregatedProductionTimes;

const fieldsWhere = (areWanted: SQLWrapper): readonly Node[] => [
  ...fields,
  instant('LastCompletedAt', 'Time of the newest completion.', {
    from: sql`(SELECT max(${monthly.lastCompletedAt}) FROM ${schema.monthlyFigures} AS monthly WHERE ${areWanted})`,
    isNullable: true,
  }),
  link(
    'MonthsLink',
    'Reference to the list of the months.',
    path.replace(/\{\w+\}/, '{}').concat('/months'),
    {
      from: listed.productStructureVersionId,
    },
  ),
  link(
    'WorkOrderOperationsLink',
    'Reference to the list of the completed operations.',
    behind.operations.replace(/\{\w+\}/, '{}'),
    { from: listed.productStructureVersionId },
  ),
  link(
    'DistributionLink',
    'Reference to the distribution of its run times.',
    behind.distribution.replace(/\{\w+\}/, '{}'),
    { from: listed.productStructureVersionId },
  ),
  collection(
    'Months',
    `Actual times by month of completion, newest month first; at most ${MAX_MONTHS}.`,
    () => month,
    {
      from: itemsSql({
        table: schema.monthlyFigures,
        alias: sql`monthly`,
        where: areWanted,
        orderBy: sql`${monthly.month} DESC`,
        limit: MAX_MONTHS,
      }),
      expandedBy: 'Months',
    },
  ),
];

/**
 * A structure version as an object. It contains the same fields as the row in the list, and also collections that would
 * be too large for a row.
 */
export const productionTimes = detailResource({
  identifier: 9005,
  version: 1,
  path,
  element: aggregatedProductionTimes.element,
  title: headings.ProductionTimesOfVersion,
  summary: headings.ProductionTimesOfVersionSummary,
  description:
    'One product structure version with all planned and actual times, the last completion and, on request, the months. Beyond the specification.',
  clientPermission,
  duty,
  parameters: periodParameters,
  fields: fieldsWhere(ofListed),
  inPeriod: {
    source: storedIn({
      table: structureVersionsInPeriod(requestedIdentifier(ofStructureVersion.parameter.name)),
      joins: source.joins,
      company: listed.companyId,
    }),
    fields: fieldsWhere(sql`${ofListed} AND ${isInPeriod(monthly.month)}`),
  },
  source,
  comparisons,
  operationPaths: behind,
  pathParameters: [ofStructureVersion.parameter],
  notFound: 'structureVersionNotFound',
});

const monthsWhere = (condition: SQLWrapper) =>
  storedIn({
    table: schema.monthlyFigures,
    alias: sql`monthly`,
    company: monthly.companyId,
    condition,
  });

export const productionMonths = listResource({
  identifier: 9006,
  version: 1,
  path: `${path}/months`,
  pathParameters: [{ ...ofStructureVersion.parameter, column: monthly.productStructureVersionId }],
  parent: productionTimes,
  element: 'AggregatedProductionTimeMonth',
  container: 'AggregatedProductionTimeMonths',
  title: headings.AggregatedProductionTimeMonths,
  summary: headings.MonthsSummary,
  description:
    'Actual times of one product structure version by calendar month of completion in the time zone of the company, newest month first. Beyond the specification.',
  clientPermission,
  duty,
  parameters: periodParameters,
  fields: monthFields,
  inPeriod: { source: monthsWhere(sql`${hasOperations} AND ${isInPeriod(monthly.month)}`) },
  source: monthsWhere(hasOperations),
  key,
  keyDirection: 'desc',
});
