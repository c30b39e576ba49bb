import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import * as schema from '../../schema.js';
import { fieldBuilders } from '../field-builders.js';
import { listResource, storedIn } from '../resource.js';
import { aggregatedProductionTimes } from './aggregated-production-times.js';
import { headings as timesHeadings } from './aggregated-production-times-headings.js';
import { hoursOfMonths, isInPeriod, periodParameters } from './period.js';
import { headings as monthHeadings } from './production-months.js';
import { headings as totalsHeadings } from './summary.js';

const headings = {
  ...timesHeadings,
  ...totalsHeadings,
  Month: monthHeadings.Month,
  ...inEveryLanguage('production-hours', {
    ProductionHours: 'Hours by month',
    ProductionHoursSummary: 'Planned and actual hours of all products by month, newest month first.',
  }),
};

const { integer, signedHours, text } = fieldBuilders(headings);

const key = text('Month', 'Calendar month of completion in the time zone of the company, as yyyy-MM.', {
  from: sql`to_char(hours.month, 'YYYY-MM')`,
  queryName: true,
});

/** Actual hours need this duty too, because they cover only the kinds of time that have a plan. */
const planned = { duty: 'read-planned-times', isUnindexed: true, isTotal: true } as const;
const ofPlannedKinds =
  'for the kinds of time that have a plan now, in each structure version; missing without a plan';

const fields = [
  key,
  integer('NumberOfCompletedProductionWorkOrders', 'Number of completed work order operations.', {
    from: sql`hours.operations`,
    queryName: true,
    isUnindexed: true,
  }),
  signedHours(
    'PlannedHours',
    `Hours planned for the operations of the month, ${ofPlannedKinds}.`,
    sql`hours.planned`,
    planned,
  ),
  signedHours(
    'ActualHours',
    `Hours that the operations of the month took, ${ofPlannedKinds}.`,
    sql`takt.within_bigint(hours.planned::numeric + hours.hours_over_plan)`,
    planned,
  ),
  signedHours(
    'HoursOverPlan',
    'Actual minus planned hours; missing without a plan.',
    sql`hours.hours_over_plan`,
    planned,
  ),
];

/**
 * SQL for the months of the listed structure versions, with their sums. The sums are computed for each request, from a
 * row for each structure version and month.
 * @param condition limits the months
 */
const monthsWhere = (condition = sql`true`) =>
  storedIn({
    table: sql`(SELECT version.company_id, monthly.month, sum(monthly.number_of_completed_operations)::bigint AS operations,
        ${hoursOfMonths.planned} AS planned, ${hoursOfMonths.overPlan} AS hours_over_plan
      FROM ${schema.monthlyFigures} AS monthly
      JOIN ${schema.productStructureVersions} AS version USING (company_id, product_structure_version_id)
      WHERE version.changed_at IS NOT NULL AND monthly.number_of_completed_operations > 0 AND ${condition}
      GROUP BY version.company_id, monthly.month)`,
    alias: sql`hours`,
    company: sql`hours.company_id`,
  });

/** The hours of a company by month, which show how the loss against plans develops. */
export const productionHours = listResource({
  identifier: 9023,
  version: 1,
  path: '/product/products/aggregated-production-times/months',
  element: 'ProductionMonth',
  container: 'ProductionMonths',
  title: headings.ProductionHours,
  summary: headings.ProductionHoursSummary,
  description:
    'Planned and actual hours of all products by calendar month of completion in the time zone of the company, newest month first. Beyond the specification.',
  clientPermission: aggregatedProductionTimes.clientPermission,
  duty: aggregatedProductionTimes.duty,
  parameters: periodParameters,
  fields,
  inPeriod: { source: monthsWhere(isInPeriod(sql`monthly.month`)) },
  source: monthsWhere(),
  key,
  keyDirection: 'desc',
});
