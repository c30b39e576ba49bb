import type { Browsing } from '../browsing.js';
import { texts } from './aggregated-production-times-browsing-texts.js';
import { headings } from './aggregated-production-times-headings.js';

const MADE = 'NumberOfCompletedProductionWorkOrders';

/** What a planner asks first: what takes longer than planned, and what that costs. */
export const browsing: Browsing = {
  name: 'ProductName',
  details: ['ProductStructureVersionName', 'Version', 'Revision'],
  figures: [
    { field: MADE, heading: texts.made, as: 'count' },
    { field: 'HoursOverPlan', heading: texts.hoursOverPlan, as: 'signed hours' },
  ],
  views: [
    {
      name: 'over-plan',
      title: texts.beyondPlan,
      summary: texts.beyondPlanSummary,
      positive: 'HoursOverPlan',
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
    { kind: 'minimum', field: MADE, title: texts.madeAtLeast },
    { kind: 'choice', field: 'ProductStructureVersionStatus', title: texts.status },
    { kind: 'same', field: 'ProductName', title: texts.product },
  ],
  related: ['/product/structure-versions/plan-suggestions'],
};
