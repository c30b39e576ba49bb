import { nodesWith } from '../nodes-with.js';
import { headings, planHeadings } from './aggregated-production-times-headings.js';
import { listed } from './product-structure-version.js';

const { group, percent, signedHours } = nodesWith({ ...headings, ...planHeadings });

/** How the times of one kind compare with what was planned for them. */
function comparisonOf(kind: 'Run' | 'Setup' | 'Cleanup') {
  const noun = `${kind.toLowerCase()} time`;
  const column = `${kind.toLowerCase() as Lowercase<typeof kind>}Time` as const;
  return [
    signedHours(
      `${kind}TimeDifference`,
      `Average ${noun} minus the planned one, in hours; negative where it is less.`,
      listed[`${column}Difference`],
      { isUnindexed: true },
    ),
    percent(
      `${kind}TimeOverPlanPercent`,
      `Difference of ${noun} in percent of the planned one, of the exact average, rounded half away from zero to 2 decimals; missing also where 0 is planned.`,
      listed[`${column}OverPlanPercent`],
      { isUnindexed: true },
    ),
    signedHours(
      `${kind}TimeHoursOverPlan`,
      `Hours that all completed operations took more than planned: the sum of ${noun} minus the count of those reported times the plan.`,
      listed[`${column}HoursOverPlan`],
    ),
  ];
}

export const hoursOverPlan = signedHours(
  'HoursOverPlan',
  'Hours over plan of run, setup and cleanup together, without those for which nothing is planned.',
  listed.hoursOverPlan,
);

/** Beyond the specification, so on request only. */
export const planComparison = group(
  'PlanComparison',
  'What completed work order operations took compared with what is planned; missing where nothing is planned. Beyond the specification.',
  [
    hoursOverPlan,
    group('Processing', 'Processing compared with plan.', comparisonOf('Run')),
    group('Changeover', 'Changeover compared with plan.', [
      group('Setup', 'Setup compared with plan.', comparisonOf('Setup')),
      group('Cleanup', 'Cleanup compared with plan.', comparisonOf('Cleanup')),
    ]),
  ],
  { duty: 'read-planned-times', expandedBy: 'PlanComparison' },
);
