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

function withSuffix(time: Translations, what: Translations): Translations {
  const texts = languages.map((language) => [language, `${time[language]}, ${what[language]}`]);
  return Object.fromEntries(texts) as Translations;
}

/** Headings that follow the name of a kind of time. */
const compared = inEveryLanguage('compared-with-plan', {
  difference: 'difference to plan',
  percent: 'over plan',
  hours: 'hours over plan',
  low: 'mean at least',
  high: 'mean at most',
  verdict: 'verdict',
  count: 'operations',
});

const inComparison = inEveryLanguage('compared-with-period', {
  average: 'average of the compared period',
  count: 'operations of the compared period',
  hours: 'hours over plan of the compared period',
  change: 'change',
});

export const comparedHeadings = {
  RunTimeComparedCount: withSuffix(headings.RunTime, inComparison.count),
  RunTimeComparedAverage: withSuffix(headings.RunTime, inComparison.average),
  RunTimeComparedHoursOverPlan: withSuffix(headings.RunTime, inComparison.hours),
  RunTimeChange: withSuffix(headings.RunTime, inComparison.change),
  SetupTimeComparedCount: withSuffix(headings.SetupTime, inComparison.count),
  SetupTimeComparedAverage: withSuffix(headings.SetupTime, inComparison.average),
  SetupTimeComparedHoursOverPlan: withSuffix(headings.SetupTime, inComparison.hours),
  SetupTimeChange: withSuffix(headings.SetupTime, inComparison.change),
  CleanupTimeComparedCount: withSuffix(headings.CleanupTime, inComparison.count),
  CleanupTimeComparedAverage: withSuffix(headings.CleanupTime, inComparison.average),
  CleanupTimeComparedHoursOverPlan: withSuffix(headings.CleanupTime, inComparison.hours),
  CleanupTimeChange: withSuffix(headings.CleanupTime, inComparison.change),
  ...inEveryLanguage('compared-period', {
    ComparedPeriod: 'Compared period',
    ComparedHoursOverPlan: 'Hours over plan of the compared period',
    HoursOverPlanChange: 'Change of the hours over plan',
  }),
};

export const planHeadings = {
  RunTimeCount: withSuffix(headings.RunTime, compared.count),
  RunTimeDifference: withSuffix(headings.RunTime, compared.difference),
  RunTimeOverPlanPercent: withSuffix(headings.RunTime, compared.percent),
  RunTimeHoursOverPlan: withSuffix(headings.RunTime, compared.hours),
  RunTimeMeanLow: withSuffix(headings.RunTime, compared.low),
  RunTimeMeanHigh: withSuffix(headings.RunTime, compared.high),
  RunTimeVerdict: withSuffix(headings.RunTime, compared.verdict),
  SetupTimeCount: withSuffix(headings.SetupTime, compared.count),
  SetupTimeDifference: withSuffix(headings.SetupTime, compared.difference),
  SetupTimeOverPlanPercent: withSuffix(headings.SetupTime, compared.percent),
  SetupTimeHoursOverPlan: withSuffix(headings.SetupTime, compared.hours),
  SetupTimeMeanLow: withSuffix(headings.SetupTime, compared.low),
  SetupTimeMeanHigh: withSuffix(headings.SetupTime, compared.high),
  SetupTimeVerdict: withSuffix(headings.SetupTime, compared.verdict),
  CleanupTimeCount: withSuffix(headings.CleanupTime, compared.count),
  CleanupTimeDifference: withSuffix(headings.CleanupTime, compared.difference),
  CleanupTimeOverPlanPercent: withSuffix(headings.CleanupTime, compared.percent),
  CleanupTimeHoursOverPlan: withSuffix(headings.CleanupTime, compared.hours),
  CleanupTimeMeanLow: withSuffix(headings.CleanupTime, compared.low),
  CleanupTimeMeanHigh: withSuffix(headings.CleanupTime, compared.high),
  CleanupTimeVerdict: withSuffix(headings.CleanupTime, compared.verdict),
  ...inEveryLanguage('plan-comparison', {
    PlanComparison: 'Compared with plan',
    HoursOverPlan: 'Hours over plan',
  }),
};
