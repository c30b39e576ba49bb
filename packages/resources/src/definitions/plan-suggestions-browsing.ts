import type { Browsing } from '../browsing.js';
import { texts as productionTimes } from './aggregated-production-times-browsing-texts.js';
import { texts } from './plan-suggestions-browsing-texts.js';
import { headings } from './plan-suggestions-headings.js';

/**
 * Opens on the plans that have cost hours, those that cost most first. The hours of a year would be as good an order, but
 * are computed for every row of the list before the first can be shown.
 */
export const browsing: Browsing = {
  name: 'ProductName',
  details: ['ProductStructureVersionName', 'Version', 'Revision'],
  figures: [
    { field: 'Kind', heading: texts.kind, as: 'words' },
    { field: 'PlannedTime', heading: texts.planned, as: 'hours' },
    { field: 'SuggestedTime', heading: texts.suggested, as: 'hours' },
    { field: 'TimeDifference', heading: headings.TimeDifference, as: 'signed hours' },
    { field: 'OverPlanPercent', heading: headings.OverPlanPercent, as: 'percent' },
    { field: 'NumberOfOperations', heading: headings.NumberOfOperations, as: 'count' },
    { field: 'HoursOverPlan', heading: productionTimes.hoursOverPlan, as: 'signed hours' },
    { field: 'HoursAYear', heading: headings.HoursAYear, as: 'signed hours' },
  ],
  views: [
    {
      name: 'too-short',
      title: texts.tooShort,
      summary: texts.tooShortSummary,
      positive: 'HoursOverPlan',
      order: { field: 'HoursOverPlan', direction: 'desc' },
    },
    {
      name: 'all',
      title: productionTimes.all,
      summary: texts.allSummary,
      order: { field: 'ProductName', direction: 'asc' },
    },
  ],
  filters: [
    { kind: 'positive', field: 'HoursOverPlan', title: texts.tooShort },
    { kind: 'choice', field: 'Kind', title: headings.Kind },
    { kind: 'choice', field: 'ProductStructureVersionStatus', title: productionTimes.status },
    { kind: 'same', field: 'ProductName', title: productionTimes.product },
  ],
  figuresHelp: texts.figuresHelp,
  related: ['/product/structure-versions/aggregated-production-times'],
};
