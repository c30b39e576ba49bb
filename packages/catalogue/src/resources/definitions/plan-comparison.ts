import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import type { Domain } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { headings, planHeadings } from './aggregated-production-times-headings.js';
import { listed } from './product-structure-version.js';

const { group, integer, percent, signedHours, text } = fieldBuilders({ ...headings, ...planHeadings });

/**
 * The possible verdicts about a mean. A verdict tells whether it is statistically certain that the mean is over or
 * under the plan.
 */
export const verdicts: Domain = {
  object: 'PlanSuggestion',
  field: 'Verdict',
  isComputed: true,
  values: inEveryLanguage('PlanSuggestion.Verdict', {
    over: 'over plan for sure',
    under: 'under plan for sure',
    unsure: 'unsure',
  }),
};

/** For each kind of time, the column with the number of operations that reported it. */
const COUNTS = {
  Run: listed.numberOfCompletedOperations,
  Setup: listed.setupTimeCount,
  Cleanup: listed.cleanupTimeCount,
};

/** For each kind of time, the columns with the number, the sum and the sum of squares of the reported times. */
const SUMS = {
  Run: sql`${COUNTS.Run}, ${listed.runTimeSum}, ${listed.runTimeSumOfSquares}`,
  Setup: sql`${COUNTS.Setup}, ${listed.setupTimeSum}, ${listed.setupTimeSumOfSquares}`,
  Cleanup: sql`${COUNTS.Cleanup}, ${listed.cleanupTimeSum}, ${listed.cleanupTimeSumOfSquares}`,
};

function comparisonOf(kind: 'Run' | 'Setup' | 'Cleanup') {
  const noun = `${kind.toLowerCase()} time`;
  const column = `${kind.toLowerCase() as Lowercase<typeof kind>}Time` as const;
  return [
    integer(`${kind}TimeCount`, `Number of completed operations that reported ${noun}.`, {
      from: COUNTS[kind],
      queryName: true,
      isUnindexed: kind !== 'Run',
    }),
    signedHours(
      `${kind}TimeDifference`,
      `Average ${noun} minus the planned one, in hours; negative where it is less.`,
      listed[`${column}Difference`],
      { isUnindexed: true },
    ),
    percent(
      `${kind}TimeOverPlanPercent`,
      `Difference of ${noun} in percent of the planned one, of the exact average, rounded half away from zero to 2 decimals; missing also if the plan is 0.`,
      listed[`${column}OverPlanPercent`],
      { isUnindexed: true },
    ),
    signedHours(
      `${kind}TimeHoursOverPlan`,
      `Hours over plan of all completed operations: the sum of ${noun} minus the number of reporting operations times the plan.`,
      listed[`${column}HoursOverPlan`],
    ),
    signedHours(
      `${kind}TimeMeanLow`,
      `Lower bound of the 95 % confidence interval of the average ${noun} by Student's t, in hours; missing below 2 operations.`,
      sql`takt.mean_bound(${SUMS[kind]}, -1)`,
      { isUnindexed: true },
    ),
    signedHours(
      `${kind}TimeMeanHigh`,
      `Upper bound of the 95 % confidence interval of the average ${noun} by Student's t, in hours; missing below 2 operations.`,
      sql`takt.mean_bound(${SUMS[kind]}, 1)`,
      { isUnindexed: true },
    ),
    text(
      `${kind}TimeVerdict`,
      `The verdict is over or under if the confidence interval of the average ${noun} lies above or below the plan and at least 5 operations reported it, otherwise unsure; missing without a plan or an operation.`,
      {
        from: sql`takt.verdict_of_mean(${SUMS[kind]}, ${listed[`deviation${kind}Time`]}, ${listed[`${column}HoursOverPlan`]}, ${listed[column]})`,
        isNullable: true,
        queryName: true,
        isUnindexed: true,
        domain: verdicts,
      },
    ),
  ];
}

export const hoursOverPlan = signedHours(
  'HoursOverPlan',
  'Hours over plan of run, setup and cleanup together, without those that have no plan.',
  listed.hoursOverPlan,
);

/** The comparison with the plan. It is an addition to the specification, so it is served only on request. */
export const planComparison = group(
  'PlanComparison',
  'Actual compared with planned times; missing without a plan. Beyond the specification.',
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
