import { isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import * as schema from '../../schema.js';
import { leavesOf, type Node } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { keptSize, listResource, storedIn, type TimeComparison } from '../resource.js';
import { browsing } from './aggregated-production-times-browsing.js';
import { headings } from './aggregated-production-times-headings.js';
import { comparedHoursOverPlan, comparedPeriod } from './compared-period.js';
import {
  comparisonParameters,
  lastMonthIsOver,
  newestMonth,
  periodParameters,
  plannedOfPeriod,
  structureVersionsCompared,
  structureVersionsInPeriod,
  structureVersionsWithin,
} from './period.js';
import { planComparison } from './plan-comparison.js';
import {
  joinedProduct,
  key,
  listed,
  searched,
  searchIndex,
  similarNames,
  structureVersion,
} from './product-structure-version.js';
import { type PeriodTotals, summaryOf } from './summary.js';

const { group, hours, integer } = fieldBuilders(headings);

function timesOf(kind: 'Run' | 'Setup' | 'Cleanup', planned: SQLWrapper, plannedAs: string) {
  const noun = `${kind.toLowerCase()} time`;
  return {
    name: `${kind}Time`,
    kind: kind.toLowerCase() as Lowercase<typeof kind>,
    heading: headings[`${kind}Time`],
    planned: hours(`${kind}Time`, plannedAs, planned),
    average: hours(`Average${kind}Time`, `Average ${noun} in hours.`, listed[`average${kind}Time`]),
    shortest: hours(
      `Shortest${kind}Time`,
      `Shortest ${noun} among the completed operations in hours.`,
      listed[`shortest${kind}Time`],
    ),
    longest: hours(
      `Longest${kind}Time`,
      `Longest ${noun} among the completed operations in hours.`,
      listed[`longest${kind}Time`],
    ),
    deviation: hours(
      `Deviation${kind}Time`,
      `Deviation of ${noun} in hours: the population standard deviation.`,
      listed[`deviation${kind}Time`],
    ),
  } satisfies TimeComparison;
}

const run = timesOf(
  'Run',
  listed.runTime,
  'Run time of the product structure operation in hours; changeover time is not included.',
);
const setup = timesOf('Setup', listed.setupTime, 'Changeover pre/setup time in hours.');
const cleanup = timesOf('Cleanup', listed.cleanupTime, 'Changeover post/cleanup time in hours.');

const actual = ({ average, shortest, longest, deviation }: ReturnType<typeof timesOf>) => [
  average,
  shortest,
  longest,
  deviation,
];

export const planned = group(
  'PlannedProductionTimes',
  'Planned times of one operation, in hours.',
  [
    group('Processing', 'Planned processing.', [run.planned]),
    group('Changeover', 'Planned changeover.', [setup.planned, cleanup.planned]),
  ],
  { duty: 'read-planned-times' },
);

const aggregated = group(
  'AggregatedProductionTimes',
  'Actual times of completed work order operations, in hours.',
  [
    integer(
      'NumberOfCompletedProductionWorkOrders',
      'Number of completed work order operations taken into the average calculation.',
      { from: listed.numberOfCompletedOperations, queryName: true },
    ),
    group('Processing', 'Actual processing.', actual(run)),
    group('Changeover', 'Actual changeover.', [
      group('Setup', 'Actual setup.', actual(setup)),
      group('Cleanup', 'Actual cleanup.', actual(cleanup)),
    ]),
  ],
);

/** SQL arguments: for each kind of time, the number of operations that reported it and its planned time. */
const plannedFor = sql.join(
  [
    listed.numberOfCompletedOperations,
    listed.runTime,
    listed.setupTimeCount,
    listed.setupTime,
    listed.cleanupTimeCount,
    listed.cleanupTime,
  ],
  sql`, `,
);
/**
 * The SQL of an aggregate: the microhours that were planned for the operations of all listed structure versions. Kinds
 * of time without a plan are not counted.
 */
export const plannedOfAll = sql`coalesce(sum(takt.planned_of_few(${plannedFor})), 0) + coalesce(sum(takt.planned_of_many(${plannedFor})), 0)`;

export const rowOfProductionTimes = [structureVersion, planned, aggregated, planComparison];

const totalsOf = (planned: SQLWrapper, besides: PeriodTotals = {}) =>
  summaryOf({
    operations: listed.numberOfCompletedOperations,
    hoursOverPlan: listed.hoursOverPlan,
    planned,
    ...besides,
  });

const sourceOfPeriod = (
  tableOf: (key?: SQLWrapper) => SQLWrapper,
  added: readonly Node[],
  ...summed: SQLWrapper[]
) =>
  storedIn({
    table: tableOf(),
    computedRows: {
      tableOf,
      fields: new Set(
        leavesOf([aggregated, planComparison, ...added]).flatMap(({ node }) =>
          node.kind === 'field' ? [node] : [],
        ),
      ),
      plainTable: structureVersionsWithin,
      summed: [listed.hoursOverPlan, listed.numberOfCompletedOperations, plannedOfPeriod, ...summed],
    },
    joins: [joinedProduct],
    company: listed.companyId,
  });

export const aggregatedProductionTimes = listResource({
  identifier: 6215,
  version: 5,
  path: '/product/structure-versions/aggregated-production-times',
  element: 'ProductStructureVersionAggregatedProductionTime',
  container: 'ProductStructureVersionAggregatedProductionTimes',
  title: headings.ProductStructureVersionAggregatedProductionTimes,
  summary: headings.ProductionTimesSummary,
  description:
    'Product structure versions with planned times and with the average, shortest, longest and deviation of the times of completed work order operations. Beyond the specification, `search` finds them by words in the names of product and structure version and in their identifiers.',
  clientPermission: 'production-times',
  duty: 'read-production-times',
  parameters: [...periodParameters, ...comparisonParameters],
  fields: rowOfProductionTimes,
  inPeriod: {
    source: sourceOfPeriod(structureVersionsInPeriod, []),
    totals: totalsOf(sql`sum(${plannedOfPeriod})`, { lastMonthIsOver }),
    newestMonth,
    compared: {
      source: sourceOfPeriod(structureVersionsCompared, [comparedPeriod], comparedHoursOverPlan),
      added: [comparedPeriod],
      totals: totalsOf(sql`sum(${plannedOfPeriod})`, { lastMonthIsOver, comparedHoursOverPlan }),
    },
  },
  source: storedIn({
    table: schema.productStructureVersions,
    joins: [joinedProduct],
    company: listed.companyId,
    condition: isNotNull(listed.changedAt),
    sizeOf: keptSize(schema.listSizes.productStructureVersions),
    isLong: true,
  }),
  key,
  totals: totalsOf(plannedOfAll),
  searched,
  searchIndex,
  similarNames,
  comparisons: [run, setup, cleanup],
  browsing,
  itemPath: '/product/structure-versions/{}/aggregated-production-times',
});
