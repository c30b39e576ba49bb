import { inEveryLanguage } from '@takt/texts';
import type { Browsing, QuickFilter } from '../browsing.js';
import type { ResourceParameter } from '../resource.js';
import { comparedHeadings, headings, planHeadings } from './aggregated-production-times-headings.js';

export const texts = inEveryLanguage('aggregated-production-times-page', {
  made: 'Made',
  hoursOverPlan: 'Hours over plan',
  beyondPlan: 'Over plan',
  beyondPlanSummary: 'Everything that took longer than planned, and the hours lost by that.',
  all: 'All',
  allSummary: 'Every product structure version, with its times in short.',
  runSummary: 'Run time against plan: what operations took, and the hours lost or saved.',
  setupSummary: 'Setup time against plan: what operations took, and the hours lost or saved.',
  cleanupSummary: 'Cleanup time against plan: what operations took, and the hours lost or saved.',
  madeAtLeast: 'Made at least',
  status: 'Status',
  product: 'Product',
  overPlan: '{0} h more than planned in {1} structure versions',
  underPlan: '{0} h less than planned in {1} structure versions',
  completed: '{0} completed operations of {1} structure versions',
});

const MADE = 'NumberOfCompletedProductionWorkOrders';

export const COMPARE_PATH = '/product/structure-versions/compare';

export const COMPARED_IDS: ResourceParameter = {
  name: 'ids',
  description: 'Identifiers of 1 to 4 product structure versions, separated by commas.',
  isRequired: true,
  example: '100001,100002',
};

const verdictFilter = (comparison: 'RunTime' | 'SetupTime' | 'CleanupTime'): QuickFilter => ({
  kind: 'choice',
  field: `${comparison}Verdict`,
  title: planHeadings[`${comparison}Verdict`],
  comparison,
});

/**
 * Describes how the list is shown. Its first view answers the first question of a planner: which operations take longer
 * than planned, and how many hours does that cost?
 */
export const browsing: Browsing = {
  name: 'ProductName',
  details: ['ProductStructureVersionKey', 'ProductStructureVersionName', 'Version', 'Revision'],
  figures: [
    { field: MADE, heading: texts.made, as: 'count' },
    { field: 'HoursOverPlan', heading: texts.hoursOverPlan, as: 'signed hours' },
    { field: 'ComparedHoursOverPlan', heading: comparedHeadings.ComparedPeriod, as: 'signed hours' },
  ],
  views: [
    {
      name: 'over-plan',
      title: texts.beyondPlan,
      summary: texts.beyondPlanSummary,
      only: { field: 'HoursOverPlan' },
      order: { field: 'HoursOverPlan', direction: 'desc' },
    },
    {
      name: 'all',
      title: texts.all,
      summary: texts.allSummary,
      order: { field: 'ProductName', direction: 'asc' },
    },
    {
      name: 'run',
      title: headings.RunTime,
      summary: texts.runSummary,
      order: { field: 'RunTimeHoursOverPlan', direction: 'desc' },
      comparison: 'RunTime',
    },
    {
      name: 'setup',
      title: headings.SetupTime,
      summary: texts.setupSummary,
      order: { field: 'SetupTimeHoursOverPlan', direction: 'desc' },
      comparison: 'SetupTime',
    },
    {
      name: 'cleanup',
      title: headings.CleanupTime,
      summary: texts.cleanupSummary,
      order: { field: 'CleanupTimeHoursOverPlan', direction: 'desc' },
      comparison: 'CleanupTime',
    },
  ],
  filters: [
    { kind: 'positive', field: 'HoursOverPlan', title: texts.beyondPlan },
    ...(['RunTime', 'SetupTime', 'CleanupTime'] as const).map(verdictFilter),
    { kind: 'minimum', field: MADE, title: texts.madeAtLeast },
    { kind: 'choice', field: 'ProductStructureVersionStatus', title: texts.status },
    { kind: 'same', field: 'ProductName', title: texts.product },
  ],
  totals: texts,
  comparesAt: COMPARE_PATH,
};
