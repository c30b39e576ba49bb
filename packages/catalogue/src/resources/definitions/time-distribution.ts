import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import { fieldBuilders } from '../field-builders.js';
import {
  detailResource,
  requestedCompany,
  requestedIdentifier,
  requestedParameter,
  storedIn,
} from '../resource.js';
import { firstMonth, lastMonth, periodParameters } from './period.js';
import { ofStructureVersion, headings as versionHeadings } from './product-structure-versions.js';
import { productionTimes } from './production-months.js';

const headings = inEveryLanguage('time-distribution', {
  AggregatedProductionTimeDistribution: 'Distribution of times',
  DistributionSummary: 'Distribution of one kind of time over the operations of one structure version.',
  Count: 'Operations',
  CountPruned: 'Pruned operations',
  Percentile10: 'Percentile 10 %',
  Percentile25: 'Lower quartile',
  Percentile50: 'Median',
  Percentile75: 'Upper quartile',
  Percentile90: 'Percentile 90 %',
  Bins: 'Histogram',
  Bin: 'Bin',
  From: 'From',
  To: 'Below',
});

const { collection, group, hours, integer, link } = fieldBuilders({
  ...headings,
  AggregatedProductionTimesLink: versionHeadings.AggregatedProductionTimesLink,
});

const timeKinds = ['run', 'setup', 'cleanup'] as const;

const kind = 'kind';

/** Makes the field of a percentile. `place` is the position of the percentile in the array of percentiles. */
const percentile = (percent: 10 | 25 | 50 | 75 | 90, place: number) =>
  hours(
    `Percentile${percent}`,
    `The time that ${percent} % of the operations do not exceed, in hours: linear between the two nearest times; missing without an operation.`,
    sql`(listed.percentiles)[${sql.raw(String(place))}]`,
  );

export const timeDistribution = detailResource({
  identifier: 9019,
  version: 1,
  path: `${productionTimes.path}/distribution`,
  element: 'AggregatedProductionTimeDistribution',
  title: headings.AggregatedProductionTimeDistribution,
  summary: headings.DistributionSummary,
  description:
    'Count, percentiles and histogram of one kind of time of one product structure version, from its completed operations, without pruned ones, whose number is given. Beyond the specification.',
  clientPermission: productionTimes.clientPermission,
  duty: productionTimes.duty,
  parameters: [
    {
      name: kind,
      description: 'The kind of time.',
      isRequired: false,
      example: 'setup',
      byDefault: 'run',
      known: () => timeKinds,
    },
    ...periodParameters,
  ],
  fields: [
    integer('Count', 'Completed operations that reported the time and were not pruned.', {
      from: sql`listed.reported`,
    }),
    integer(
      'CountPruned',
      'Pruned operations that reported the time: part of the figures, but not of the distribution.',
      {
        from: sql`listed.pruned`,
      },
    ),
    ...([10, 25, 50, 75, 90] as const).map((percent, index) => percentile(percent, index + 1)),
    collection(
      'Bins',
      'Histogram of at most 30 bins of equal width, by the rule of Freedman and Diaconis, with round borders.',
      () =>
        group('Bin', 'Number of operations with a time within these borders.', [
          hours('From', 'The shortest time in the bin, in hours.', sql`NULL`),
          hours(
            'To',
            'Upper border of the bin, exclusive, in hours; missing if the last bin has none.',
            sql`NULL`,
          ),
          integer('Count', 'Operations in the bin.'),
        ]),
      { from: () => sql`listed.bins` },
    ),
    link(
      'AggregatedProductionTimesLink',
      'Reference to the production times of the structure version.',
      '/product/structure-versions/{}/aggregated-production-times',
      { from: sql`listed.product_structure_version_id` },
    ),
  ],
  source: storedIn({
    table: sql`takt.distribution_of_times(${requestedCompany}, ${requestedIdentifier(ofStructureVersion.parameter.name)}, ${requestedParameter(kind)}, ${firstMonth}, ${lastMonth})`,
    company: sql`listed.company_id`,
  }),
  pathParameters: [{ ...ofStructureVersion.parameter, column: sql`listed.product_structure_version_id` }],
  notFound: 'structureVersionNotFound',
});
