import { inEveryLanguage } from '@takt/texts';

/** What the page of production times calls its views, filters and columns. */
export const texts = inEveryLanguage('aggregated-production-times-page', {
  made: 'Made',
  hoursOverPlan: 'Hours over plan',
  beyondPlan: 'Beyond plan',
  beyondPlanSummary: 'What took longer than planned in all, and the hours lost by that.',
  all: 'All',
  allSummary: 'Every product structure version, with its times in short.',
  runSummary: 'Run time against plan: what operations took, and the hours lost or saved.',
  setupSummary: 'Setup time against plan: what operations took, and the hours lost or saved.',
  cleanupSummary: 'Cleanup time against plan: what operations took, and the hours lost or saved.',
  madeAtLeast: 'Made at least',
  status: 'Status',
  product: 'Product',
});
