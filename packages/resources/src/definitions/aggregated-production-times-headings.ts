import { inEveryLanguage } from '@takt/texts';

import { sharedHeadings } from './shared-texts.js';

/** Headings of planned and actual production times, by name. */
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
