import { inEveryLanguage } from '@takt/texts';
import { headings as productionTimesHeadings } from './aggregated-production-times-headings.js';

/** Headings of production times of one structure version and of its months, by name. */
export const headings = {
  ...productionTimesHeadings,
  ...inEveryLanguage('production-months', {
    ProductionTimesOfVersion: 'Production times of a structure version',
    ProductionTimesOfVersionSummary:
      'Every figure of one structure version beside its plan, with the last completion and the months.',
    LastCompletedAt: 'Last completion',
    MonthsLink: 'Link to the months',
    Months: 'Months',
    Month: 'Month',
    AggregatedProductionTimeMonths: 'Production times by month',
    MonthsSummary: 'What the operations of each month took for one structure version, newest month first.',
  }),
};
