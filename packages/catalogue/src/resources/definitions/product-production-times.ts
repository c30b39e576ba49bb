import { inEveryLanguage } from '@takt/texts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import * as schema from '../../schema.js';
import type { Browsing } from '../browsing.js';
import type { Node } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { listResource, requestedCompany, storedIn } from '../resource.js';
import {
  aggregatedProductionTimes,
  plannedOfAll,
  rowOfProductionTimes,
} from './aggregated-production-times.js';
import { texts as timesTexts } from './aggregated-production-times-browsing.js';
import { comparedHeadings, headings as timesHeadings } from './aggregated-production-times-headings.js';
import { itemsSql } from './items-sql.js';
import { keyOptions } from './keys.js';
import {
  comparisonParameters,
  lastMonthIsOver,
  newestMonth,
  periodParameters,
  plannedOfPeriod,
  productsInSecondPeriod,
  structureVersionsCompared,
  structureVersionsInPeriod,
} from './period.js';
import { hoursOverPlan } from './plan-comparison.js';
import {
  joinedProduct,
  listed,
  productStatus,
  productType,
  similarNamesOfProducts,
  headings as structureVersionHeadings,
} from './product-structure-version.js';
import { productionHours } from './production-hours.js';
import { COMPARING, type PeriodTotals, summaryOf, headings as totalsHeadings } from './summary.js';

const headings = {
  ...timesHeadings,
  ...structureVersionHeadings,
  ...totalsHeadings,
  ComparedPeriod: comparedHeadings.ComparedPeriod,
  HoursOverPlanChange: comparedHeadings.HoursOverPlanChange,
  ProductStructureVersionAggregatedProductionTime: aggregatedProductionTimes.title,
  ...inEveryLanguage('product-production-times', {
    ProductAggregatedProductionTimes: 'Products by hours',
    ProductProductionTimesSummary:
      'Planned and actual hours of every product, summed over its structure versions.',
    NumberOfStructureVersions: 'Structure versions',
    StructureVersions: 'Structure versions, most hours over plan first',
    OverPlanPercent: 'Over plan',
  }),
};

const texts = inEveryLanguage('product-production-times-page', {
  figuresHelp:
    'Hours of all completed operations, of the kinds of time that have a plan. Hours over plan: actual minus planned hours.',
  overPlan: '{0} h more than planned in {1} products',
  underPlan: '{0} h less than planned in {1} products',
  completed: '{0} completed operations of {1} products',
  change: 'Change',
});

const { collection, group, integer, link, percent, signedHours, text } = fieldBuilders(headings);

const MADE = 'NumberOfCompletedProductionWorkOrders';

/**
 * Describes how the list is shown. Its first view answers the first question of a planner: for which products do wrong
 * plans cost the most hours?
 */
const browsing: Browsing = {
  isFirst: true,
  overview: { months: productionHours.path },
  name: 'ProductName',
  details: ['ProductId'],
  figures: [
    { field: 'NumberOfStructureVersions', heading: headings.NumberOfStructureVersions, as: 'count' },
    { field: MADE, heading: timesTexts.made, as: 'count' },
    { field: 'PlannedHours', heading: headings.PlannedHours, as: 'total hours' },
    { field: 'ActualHours', heading: headings.ActualHours, as: 'total hours' },
    { field: 'HoursOverPlan', heading: headings.HoursOverPlan, as: 'signed hours' },
    { field: 'ComparedHoursOverPlan', heading: headings.ComparedPeriod, as: 'signed hours' },
    { field: 'HoursOverPlanChange', heading: texts.change, as: 'signed hours' },
    { field: 'OverPlanPercent', heading: headings.OverPlanPercent, as: 'percent' },
  ],
  views: [
    {
      name: 'over-plan',
      title: timesTexts.beyondPlan,
      summary: timesTexts.beyondPlanSummary,
      only: { field: 'HoursOverPlan' },
      order: { field: 'HoursOverPlan', direction: 'desc' },
    },
    {
      name: 'all',
      title: timesTexts.all,
      summary: headings.ProductProductionTimesSummary,
      order: { field: 'ProductName', direction: 'asc' },
    },
  ],
  filters: [
    { kind: 'positive', field: 'HoursOverPlan', title: timesTexts.beyondPlan },
    { kind: 'minimum', field: MADE, title: timesTexts.madeAtLeast },
    { kind: 'choice', field: 'ProductStatus', title: timesTexts.status },
  ],
  totals: texts,
  figuresHelp: texts.figuresHelp,
};

const productKey = text('ProductKey', 'Key of the product; missing if the company names them by numbers.', {
  ...keyOptions(sql`totals.product_key`),
  queryName: true,
});
const key = integer('ProductId', 'Product identifier.', {
  from: sql`totals.product_id`,
  queryName: true,
  keyField: productKey,
});
const name = text('Name', 'Name of the product.', {
  from: sql`totals.product_name`,
  queryName: 'ProductName',
});

/**
 * The duty that is required for planned hours. It is required for actual hours too: they cover only the kinds of time
 * that have a plan, so they would reveal which kinds have a plan.
 */
const planned = { duty: 'read-planned-times' } as const;
const ofPlannedKinds = 'for the kinds of time that have a plan, in each structure version';

/**
 * The maximum number of structure versions in an object. All structure versions of the product are in their own list,
 * which can be filtered by product.
 */
const MAX_STRUCTURE_VERSIONS = 80;

const fields = [
  group('Product', 'The product.', [
    key,
    productKey,
    name,
    integer('Status', 'Status of the product.', {
      from: sql`totals.status`,
      queryName: 'ProductStatus',
      domain: productStatus,
    }),
    text('Type', 'Type of product.', {
      from: sql`totals.type`,
      queryName: 'ProductType',
      domain: productType,
    }),
    link('ProductLink', 'Reference to the product.', '/product/products/{}', {
      from: sql`totals.product_id`,
    }),
  ]),
  group('AggregatedProductionTimes', 'Actual times of all completed work order operations of the product.', [
    integer('NumberOfStructureVersions', 'Number of structure versions of the product.', {
      from: sql`totals.structure_versions`,
      queryName: true,
    }),
    integer(MADE, 'Number of completed work order operations of all structure versions.', {
      from: sql`totals.operations`,
      queryName: true,
    }),
    signedHours(
      'PlannedHours',
      `Hours planned for the completed operations, ${ofPlannedKinds}; missing without a plan.`,
      sql`totals.planned`,
      planned,
    ),
    signedHours(
      'ActualHours',
      `Hours that completed operations took, ${ofPlannedKinds}; missing without a plan.`,
      sql`totals.actual`,
      planned,
    ),
    signedHours(
      'HoursOverPlan',
      'Actual minus planned hours; missing without a plan.',
      sql`totals.hours_over_plan`,
      planned,
    ),
    percent(
      'OverPlanPercent',
      'Hours over plan in percent of the planned hours, rounded half away from zero to 2 decimals; missing also if the plan is 0.',
      sql`totals.over_plan_percent`,
      planned,
    ),
  ]),
];

/**
 * A table of structure versions with production times, and the SQL of an aggregate over it: the microhours that were
 * planned for their operations.
 */
interface StructureVersionTimes {
  readonly table: SQLWrapper;
  readonly planned: SQLWrapper;
  /** A table with the hours over plan of each product in a second period; absent if there is no second period. */
  readonly compared?: SQLWrapper;
}

const ofAll: StructureVersionTimes = { table: schema.productStructureVersions, planned: plannedOfAll };
const ofPeriod: StructureVersionTimes = {
  table: structureVersionsInPeriod(),
  planned: sql`sum(${plannedOfPeriod})`,
};
const ofTwoPeriods: StructureVersionTimes = {
  ...ofPeriod,
  table: structureVersionsCompared(),
  compared: productsInSecondPeriod,
};

/**
 * SQL for the products with the sums of their listed structure versions. All times are in microhours. They cover only
 * kinds of time that have a plan, and are null if there is none. over_plan_percent is in hundredths of a percent of
 * `planned`, rounded half away from zero; it is null if `planned` is 0.
 * The sums are computed for each request. If they were stored for each product, all events of a product would lock the
 * same row, and every batch of events would take longer (docs/decisions/times-by-product.md). A view in the database is
 * not possible, because this SQL must work with different tables of structure versions.
 */
function productsOf({ table, planned, compared }: StructureVersionTimes): SQL {
  const summed = sql`(SELECT ${listed.companyId}, ${listed.productId}, count(*) AS structure_versions,
        sum(${listed.numberOfCompletedOperations})::bigint AS operations, sum(${listed.hoursOverPlan}) AS over_plan,
        CASE WHEN sum(${listed.hoursOverPlan}) IS NOT NULL THEN ${planned} END AS planned
      FROM ${table} AS listed
      WHERE ${listed.changedAt} IS NOT NULL
      GROUP BY ${listed.companyId}, ${listed.productId})`;
  return sql`(SELECT company_id, product_id, product.product_key, product.name AS product_name, product.status, product.type COLLATE "und-x-icu" AS type,
      structure_versions, operations, takt.within_bigint(planned) AS planned,
      takt.within_bigint(planned + over_plan) AS actual, takt.within_bigint(over_plan) AS hours_over_plan,
      takt.within_bigint(div(20000 * over_plan + sign(over_plan) * planned, nullif(2 * planned, 0))) AS over_plan_percent,
      compared_hours_over_plan
    FROM ${compared === undefined ? sql`(SELECT *, NULL::bigint AS compared_hours_over_plan FROM ${summed} AS sums)` : inBothPeriods(summed, compared)} AS summed
    JOIN ${schema.products} AS product USING (company_id, product_id))`;
}

/**
 * SQL for the sums of the first period with the hours over plan of the second one. It also has the products that were
 * made only in the second period: otherwise the largest changes would be missing.
 */
const inBothPeriods = (summed: SQL, compared: SQLWrapper): SQL =>
  sql`(SELECT company_id, product_id, coalesce(structure_versions, 0) AS structure_versions,
        coalesce(operations, 0) AS operations,
        CASE WHEN structure_versions IS NULL THEN 0 * earlier.hours ELSE over_plan END AS over_plan,
        CASE WHEN structure_versions IS NULL THEN 0 * earlier.hours ELSE planned END AS planned,
        CASE WHEN structure_versions IS NULL OR over_plan IS NOT NULL
          THEN takt.within_bigint(coalesce(earlier.hours, 0)) END AS compared_hours_over_plan
      FROM ${summed} AS sums FULL JOIN ${compared} AS earlier USING (company_id, product_id))`;

const structureVersionsOf = (table: SQLWrapper) =>
  collection(
    'StructureVersions',
    `The structure versions of the product with their production times, most hours over plan first; at most ${MAX_STRUCTURE_VERSIONS}.`,
    () =>
      group(
        'ProductStructureVersionAggregatedProductionTime',
        'A structure version with its production times.',
        rowOfProductionTimes,
      ),
    {
      from: itemsSql({
        table,
        alias: sql`listed`,
        join: joinedProduct,
        where: sql`${listed.companyId} = ${requestedCompany} AND ${listed.productId} = totals.product_id AND ${listed.changedAt} IS NOT NULL`,
        highestFirst: hoursOverPlan,
        orderBy: sql`${listed.productStructureVersionId}`,
        limit: MAX_STRUCTURE_VERSIONS,
      }),
      expandedBy: 'StructureVersions',
    },
  );

const fieldsOf = ({ table }: StructureVersionTimes): readonly Node[] => [
  ...fields,
  structureVersionsOf(table),
];

const sourceOf = (times: StructureVersionTimes) =>
  storedIn({
    table: productsOf(times),
    alias: sql`totals`,
    company: sql`totals.company_id`,
  });

const comparedPeriod = group(
  'ComparedPeriod',
  'The second period.',
  [
    signedHours(
      'ComparedHoursOverPlan',
      'Hours over plan of the second period, of all structure versions that were made in it; missing without a plan.',
      sql`totals.compared_hours_over_plan`,
      planned,
    ),
    signedHours(
      'HoursOverPlanChange',
      'Hours over plan minus those of the second period; missing without a plan.',
      sql`totals.hours_over_plan - totals.compared_hours_over_plan`,
      planned,
    ),
  ],
  { onlyWith: COMPARING },
);

const totalsOf = (besides: PeriodTotals = {}) =>
  summaryOf({
    operations: sql`totals.operations`,
    hoursOverPlan: sql`totals.hours_over_plan`,
    planned: sql`sum(totals.planned)`,
    ...besides,
  });

export const productProductionTimes = listResource({
  identifier: 9017,
  version: 1,
  path: '/product/products/aggregated-production-times',
  element: 'ProductAggregatedProductionTime',
  container: 'ProductAggregatedProductionTimes',
  title: headings.ProductAggregatedProductionTimes,
  summary: headings.ProductProductionTimesSummary,
  description:
    'Products with planned and actual hours of all completed work order operations, summed over their structure versions. A list of two periods also has the products made only in the second one. Beyond the specification.',
  clientPermission: aggregatedProductionTimes.clientPermission,
  duty: aggregatedProductionTimes.duty,
  parameters: [...periodParameters, ...comparisonParameters],
  fields: fieldsOf(ofAll),
  inPeriod: {
    source: sourceOf(ofPeriod),
    fields: fieldsOf(ofPeriod),
    totals: totalsOf({ lastMonthIsOver }),
    newestMonth,
    compared: {
      source: sourceOf(ofTwoPeriods),
      added: [comparedPeriod],
      totals: totalsOf({
        lastMonthIsOver,
        comparedHoursOverPlan: sql`totals.compared_hours_over_plan`,
      }),
    },
  },
  source: sourceOf(ofAll),
  key,
  totals: totalsOf(),
  searched: [name, key],
  similarNames: similarNamesOfProducts,
  browsing,
  opens: { path: aggregatedProductionTimes.path, field: 'ProductId' },
  itemPath: '/product/products/{}',
});
