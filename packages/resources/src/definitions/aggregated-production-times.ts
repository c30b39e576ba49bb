import { schema } from '@takt/database';
import { isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Group, group, hours, integer, link, text } from '../model/field.js';
import type { ListResource, TimeComparison } from '../model/resource.js';

const listed = alias(schema.productStructureVersions, 'listed');
const product = alias(schema.products, 'product');
const named = alias(schema.products, 'named');

const key = integer('ProductStructureVersionId', 'Product structure identifier.', {
  from: listed.productStructureVersionId,
});

const productGroup: Group = group('Product', 'The product that the structure makes.', [
  integer('ProductId', 'Product identifier.', { from: listed.productId }),
  integer('Status', 'Status of the product.', {
    from: product.status,
    domain: { object: 'Product', field: 'Status' },
  }),
  text('Name', 'Name of the product.', {
    from: listed.productName,
    queryName: 'ProductName',
    textIndex: {
      folded: named.foldedName,
      within: (condition) =>
        sql`(${listed.companyId}, ${listed.productId}) IN (SELECT ${named.companyId}, ${named.productId} FROM ${schema.products} AS named WHERE ${condition})`,
    },
  }),
  text('Type', 'Type of product.', { from: product.type, domain: { object: 'Product', field: 'Type' } }),
  text('Description', 'Description of the product.', { from: product.description }),
  link('ProductLink', 'Reference to the product.', '/product/products/{}', { from: listed.productId }),
]);

const structureVersion: Group = group('ProductStructureVersion', 'The product structure version.', [
  key,
  integer('Status', 'Status of the product structure.', {
    from: listed.status,
    domain: { object: 'ProductStructureVersion', field: 'Status' },
  }),
  text('Name', 'Name of the product structure version.', { from: listed.name }),
  integer('Version', 'Version number.', { from: listed.version }),
  text('Revision', 'Revision; typically a major change, whereas minor changes are stored in Version.', {
    from: listed.revision,
  }),
  group('ProductStructure', 'The product structure.', [productGroup]),
  link(
    'ProductStructureVersionLink',
    'Reference to the product structure version.',
    '/product/structure-versions/{}',
    { from: listed.productStructureVersionId },
  ),
]);

/** Planned and actual times of one kind. */
function timesOf(
  kind: 'Run' | 'Setup' | 'Cleanup',
  plannedAs: string,
  from: Readonly<Record<Exclude<keyof TimeComparison, 'name'>, SQLWrapper>>,
): TimeComparison {
  const noun = `${kind.toLowerCase()} time`;
  return {
    name: kind,
    planned: hours(`${kind}Time`, plannedAs, from.planned),
    average: hours(`Average${kind}Time`, `Average ${noun} in hours.`, from.average),
    shortest: hours(
      `Shortest${kind}Time`,
      `Shortest ${noun} among the completed operations in hours.`,
      from.shortest,
    ),
    longest: hours(
      `Longest${kind}Time`,
      `Longest ${noun} among the completed operations in hours.`,
      from.longest,
    ),
    deviation: hours(
      `Deviation${kind}Time`,
      `Deviation of ${noun} in hours: the population standard deviation.`,
      from.deviation,
    ),
  };
}

const run = timesOf(
  'Run',
  'Run time of the product structure operation in hours; changeover time is not included.',
  {
    planned: listed.runTime,
    average: listed.averageRunTime,
    shortest: listed.shortestRunTime,
    longest: listed.longestRunTime,
    deviation: listed.deviationRunTime,
  },
);
const setup = timesOf('Setup', 'Changeover pre/setup time in hours.', {
  planned: listed.setupTime,
  average: listed.averageSetupTime,
  shortest: listed.shortestSetupTime,
  longest: listed.longestSetupTime,
  deviation: listed.deviationSetupTime,
});
const cleanup = timesOf('Cleanup', 'Changeover post/cleanup time in hours.', {
  planned: listed.cleanupTime,
  average: listed.averageCleanupTime,
  shortest: listed.shortestCleanupTime,
  longest: listed.longestCleanupTime,
  deviation: listed.deviationCleanupTime,
});

const actual = ({ average, shortest, longest, deviation }: TimeComparison) => [
  average,
  shortest,
  longest,
  deviation,
];

const planned: Group = group('PlannedProductionTimes', 'What is planned for one operation, in hours.', [
  group('Processing', 'Planned processing.', [run.planned]),
  group('Changeover', 'Planned changeover.', [setup.planned, cleanup.planned]),
]);

const aggregated: Group = group(
  'AggregatedProductionTimes',
  'What completed work order operations took, in hours.',
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

export const aggregatedProductionTimes: ListResource = {
  kind: 'list',
  identifier: 6215,
  version: 5,
  path: '/product/structure-versions/aggregated-production-times',
  element: 'ProductStructureVersionAggregatedProductionTime',
  container: 'ProductStructureVersionAggregatedProductionTimes',
  title: 'Production times',
  description:
    'Product structure versions with planned times and with the average, shortest, longest and deviation of what completed work order operations took.',
  fields: [structureVersion, planned, aggregated],
  source: {
    table: schema.productStructureVersions,
    alias: sql`listed`,
    joins: [
      sql`LEFT JOIN ${schema.products} AS product ON ${product.companyId} = ${listed.companyId} AND ${product.productId} = ${listed.productId}`,
    ],
    company: listed.companyId,
    condition: isNotNull(listed.changedAt),
    sizeOf: (company) =>
      sql`coalesce((SELECT ${schema.listSizes.productStructureVersions} FROM ${schema.listSizes} WHERE ${schema.listSizes.companyId} = ${company}), 0)`,
  },
  key,
  defaultPageSize: 10,
  maximumPageSize: 80,
  searched: [],
  comparisons: [run, setup, cleanup],
  itemPath: undefined,
};
