import { inEveryLanguage, languages, type Translations } from '@takt/texts';
import { sharedHeadings } from './shared-texts.js';

export const headings = {
  ...sharedHeadings,
  ...inEveryLanguage('aggregated-production-times', {
    ProductStructureVersionAggregatedProductionTimes: 'Production times',
    PlannedProductionTimes: 'Planned production times',
    AggregatedProductionTimes: 'Actual production times',
    Processing: 'Processing',
    Changeover: 'Changeover',
    Setup: 'Setup',
    Cleanup: 'Cleanup',
    NumberOfCompletedProductionWorkOrders: 'Completed operations',
    RunTime: 'Run time',
    SetupTime: 'Setup time',
    CleanupTime: 'Cleanup time',
    AverageRunTime: 'Average run time',
    ShortestRunTime: 'Shortest run time',
    LongestRunTime: 'Longest run time',
    DeviationRunTime: 'Deviation of run time',
    AverageSetupTime: 'Average setup time',
    ShortestSetupTime: 'Shortest setup time',
    LongestSetupTime: 'Longest setup time',
    DeviationSetupTime: 'Deviation of setup time',
    AverageCleanupTime: 'Average cleanup time',
    ShortestCleanupTime: 'Shortest cleanup time',
    LongestCleanupTime: 'Longest cleanup time',
    DeviationCleanupTime: 'Deviation of cleanup time',
    ProductionTimesSummary:
      'Planned times beside what completed operations took: average, shortest, longest and deviation.',
  }),
};

function behind(time: Translations, what: Translations): Translations {
  const texts = languages.map((language) => [language, `${time[language]}, ${what[language]}`]);
  return Object.fromEntries(texts) as Translations;
}

/** Headings that follow the kind of time. */
const compared = inEveryLanguage('compared-with-plan', {
  difference: 'difference to plan',
  percent: 'over plan',
  hours: 'hours over plan',
  low: 'mean at least',
  high: 'mean at most',
  verdict: 'verdict',
});

const inComparison = inEveryLanguage('compared-with-period', {
  average: 'average of the compared period',
  count: 'operations of the compared period',
  hours: 'hours over plan of the compared period',
  change: 'change',
});

/** Headings of the second period's figures. */
export const comparedHeadings = {
  RunTimeComparedCount: behind(headings.RunTime, inComparison.count),
  RunTimeComparedAverage: behind(headings.RunTime, inComparison.average),
  RunTimeComparedHoursOverPlan: behind(headings.RunTime, inComparison.hours),
  RunTimeChange: behind(headings.RunTime, inComparison.change),
  SetupTimeComparedCount: behind(headings.SetupTime, inComparison.count),
  SetupTimeComparedAverage: behind(headings.SetupTime, inComparison.average),
  SetupTimeComparedHoursOverPlan: behind(headings.SetupTime, inComparison.hours),
  SetupTimeChange: behind(headings.SetupTime, inComparison.change),
  CleanupTimeComparedCount: behind(headings.CleanupTime, inComparison.count),
  CleanupTimeComparedAverage: behind(headings.CleanupTime, inComparison.average),
  CleanupTimeComparedHoursOverPlan: behind(headings.CleanupTime, inComparison.hours),
  CleanupTimeChange: behind(headings.CleanupTime, inComparison.change),
  ...inEveryLanguage('compared-period', {
    ComparedPeriod: 'Compared period',
    ComparedHoursOverPlan: 'Hours over plan of the compared period',
  }),
};

/** Headings of the comparison with the plan. */
export const planHeadings = {
  RunTimeDifference: behind(headings.RunTime, compared.difference),
  RunTimeOverPlanPercent: behind(headings.RunTime, compared.percent),
  RunTimeHoursOverPlan: behind(headings.RunTime, compared.hours),
  RunTimeMeanLow: behind(headings.RunTime, compared.low),
  RunTimeMeanHigh: behind(headings.RunTime, compared.high),
  RunTimeVerdict: behind(headings.RunTime, compared.verdict),
  SetupTimeDifference: behind(headings.SetupTime, compared.difference),
  SetupTimeOverPlanPercent: behind(headings.SetupTime, compared.percent),
  SetupTimeHoursOverPlan: behind(headings.SetupTime, compared.hours),
  SetupTimeMeanLow: behind(headings.SetupTime, compared.low),
  SetupTimeMeanHigh: behind(headings.SetupTime, compared.high),
  SetupTimeVerdict: behind(headings.SetupTime, compared.verdict),
  CleanupTimeDifference: behind(headings.CleanupTime, compared.difference),
  CleanupTimeOverPlanPercent: behind(headings.CleanupTime, compared.percent),
  CleanupTimeHoursOverPlan: behind(headings.CleanupTime, compared.hours),
  CleanupTimeMeanLow: behind(headings.CleanupTime, compared.low),
  CleanupTimeMeanHigh: behind(headings.CleanupTime, compared.high),
  CleanupTimeVerdict: behind(headings.CleanupTime, compared.verdict),
  ...inEveryLanguage('plan-comparison', {
    PlanComparison: 'Compared with plan',
    HoursOverPlan: 'Hours over plan',
  }),
};
