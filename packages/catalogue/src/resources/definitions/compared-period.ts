import { sql } from 'drizzle-orm';
import { fieldBuilders } from '../field-builders.js';
import { comparedHeadings, headings } from './aggregated-production-times-headings.js';
import { COMPARING } from './summary.js';

const { group, hours, integer, percent, signedHours } = fieldBuilders({ ...headings, ...comparedHeadings });

const ofPlan = { duty: 'read-planned-times' } as const;

const column = (name: string) => sql`listed.${sql.identifier(name)}`;

function comparisonOf(kind: 'Run' | 'Setup' | 'Cleanup') {
  const noun = `${kind.toLowerCase()} time`;
  const stem = `${kind.toLowerCase()}_time`;
  return [
    integer(`${kind}TimeComparedCount`, `Number of operations of the second period that reported ${noun}.`, {
      from: column(`compared_${stem}_count`),
      queryName: true,
      isUnindexed: true,
    }),
    hours(
      `${kind}TimeComparedAverage`,
      `Average ${noun} of the second period in hours; missing if no operation reported one.`,
      column(`compared_average_${stem}`),
      { isUnindexed: true },
    ),
    signedHours(
      `${kind}TimeComparedHoursOverPlan`,
      `Hours over the present plan in the operations of the second period.`,
      column(`compared_${stem}_hours_over_plan`),
      { isUnindexed: true, ...ofPlan },
    ),
    percent(
      `${kind}TimeChange`,
      `Increase of ${noun} from the second period to the first, in percent of the exact average of the second, rounded half away from zero to 2 decimals; missing if either has none.`,
      column(`${stem}_change`),
      { isUnindexed: true },
    ),
  ];
}

/** The column with the hours over plan in the second period, in microhours. */
export const comparedHoursOverPlan = column('compared_hours_over_plan');

/** The figures of the second period. They are an addition to the specification. */
export const comparedPeriod = group(
  'ComparedPeriod',
  'The second period, and how the first differs from it. Beyond the specification.',
  [
    signedHours(
      'ComparedHoursOverPlan',
      'Hours over plan of the second period: run, setup and cleanup together, without those that have no plan.',
      comparedHoursOverPlan,
      { isUnindexed: true, ...ofPlan },
    ),
    group('Processing', 'Processing in the second period.', comparisonOf('Run')),
    group('Changeover', 'Changeover in the second period.', [
      group('Setup', 'Setup in the second period.', comparisonOf('Setup')),
      group('Cleanup', 'Cleanup in the second period.', comparisonOf('Cleanup')),
    ]),
  ],
  { onlyWith: COMPARING },
);
