import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import type { Browsing } from '../browsing.js';
import type { Domain } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { listResource, storedIn } from '../resource.js';
import { texts as timesTexts } from './aggregated-production-times-browsing.js';
import { headings as productionTimes } from './aggregated-production-times-headings.js';
import { verdicts } from './plan-comparison.js';
import {
  joinedProduct,
  listed,
  productId,
  productName,
  structureVersion,
  key as structureVersionId,
  structureVersionName,
} from './product-structure-version.js';

const headings = inEveryLanguage('plan-suggestions', {
  ProductStructureVersionPlanSuggestions: 'Plans to correct',
  PlanSuggestionsSummary:
    'Planned times that differ by 10 % or more from what at least 20 operations took, with what they should be.',
  PlanSuggestionId: 'Suggestion',
  PlanSuggestion: 'Suggested plan',
  Kind: 'Kind of time',
  PlannedTime: 'Planned time',
  SuggestedTime: 'Suggested time',
  TimeDifference: 'Difference',
  OverPlanPercent: 'Over plan',
  NumberOfOperations: 'Operations',
  HoursOverPlan: 'Hours over plan',
  HoursAYear: 'Hours a year',
  MeanLow: 'Mean at least',
  MeanHigh: 'Mean at most',
  Verdict: 'Verdict',
});

const texts = inEveryLanguage('plan-suggestions-page', {
  tooShort: 'Too short',
  tooShortSummary:
    'Plans that are 10 % or more too short for sure, according to at least 20 operations, with the hours that this has cost.',
  moreUnsure: '{0} others are 10 % or more too short or too long, but unsure: chance can explain it.',
  allSummary: 'Plans that are 10 % or more too short or too long, according to at least 20 operations.',
  planned: 'Planned',
  suggested: 'Suggested',
  kind: 'Time',
  figuresHelp:
    'Planned and suggested are times for one operation; the suggested time is the average of all operations. Verdict: whether its 95 % confidence interval lies over or under the plan. Hours over plan: what all of them took more than planned. Hours a year: what the suggested plan would add in a year, or take away.',
});

/**
 * Describes how the list is shown. Its first view shows the plans that have cost hours, those with the highest cost
 * first. Sorting by hours per year would be just as good, but these would have to be computed for all rows before the
 * first row could be shown.
 */
const browsing: Browsing = {
  name: 'ProductName',
  details: ['ProductStructureVersionKey', 'ProductStructureVersionName', 'Version', 'Revision'],
  figures: [
    { field: 'Kind', heading: texts.kind, as: 'words' },
    { field: 'PlannedTime', heading: texts.planned, as: 'hours' },
    { field: 'SuggestedTime', heading: texts.suggested, as: 'hours' },
    { field: 'Verdict', heading: headings.Verdict, as: 'words' },
    { field: 'OverPlanPercent', heading: headings.OverPlanPercent, as: 'percent' },
    { field: 'NumberOfOperations', heading: headings.NumberOfOperations, as: 'count' },
    { field: 'HoursOverPlan', heading: timesTexts.hoursOverPlan, as: 'signed hours' },
    { field: 'HoursAYear', heading: headings.HoursAYear, as: 'signed hours' },
  ],
  views: [
    {
      name: 'too-short',
      title: texts.tooShort,
      summary: texts.tooShortSummary,
      only: { field: 'Verdict', is: 'over' },
      besides: { is: 'unsure', text: texts.moreUnsure },
      order: { field: 'HoursOverPlan', direction: 'desc' },
    },
    {
      name: 'all',
      title: timesTexts.all,
      summary: texts.allSummary,
      order: { field: 'ProductName', direction: 'asc' },
    },
  ],
  filters: [
    { kind: 'choice', field: 'Verdict', title: headings.Verdict },
    { kind: 'choice', field: 'Kind', title: headings.Kind },
    { kind: 'choice', field: 'ProductStructureVersionStatus', title: timesTexts.status },
    { kind: 'same', field: 'ProductName', title: timesTexts.product },
  ],
  figuresHelp: texts.figuresHelp,
};

const { group, hours, integer, percent, signedHours, text } = fieldBuilders(headings);

const kinds: Domain = {
  object: 'PlanSuggestion',
  field: 'Kind',
  isComputed: true,
  values: {
    run: productionTimes.RunTime,
    setup: productionTimes.SetupTime,
    cleanup: productionTimes.CleanupTime,
  },
};

const key = text('PlanSuggestionId', 'Structure version and kind of time, such as 4711-run.', {
  from: sql`listed.suggestion`,
  filterName: 'PlanSuggestionId',
});

const suggestion = group('PlanSuggestion', 'Planned and suggested time, in hours.', [
  text('Kind', 'The kind of time.', {
    from: sql`listed.kind`,
    filterName: 'Kind',
    domain: kinds,
  }),
  hours('PlannedTime', 'The planned time.', sql`listed.planned`),
  hours(
    'SuggestedTime',
    'The average of all completed operations that reported the time.',
    sql`listed.suggested`,
  ),
  signedHours('TimeDifference', 'Suggested minus planned.', sql`(listed.suggested - listed.planned)`),
  percent(
    'OverPlanPercent',
    'The difference in percent of the plan, rounded half away from zero to 2 decimals; missing if the plan is 0.',
    sql`listed.over_plan_percent`,
  ),
  integer('NumberOfOperations', 'Completed operations that reported the time.', {
    from: sql`listed.operations`,
    queryName: true,
  }),
  signedHours(
    'HoursOverPlan',
    'Hours over plan of all these operations; negative if under.',
    sql`listed.hours_over_plan`,
  ),
  signedHours(
    'MeanLow',
    "Lower bound of the 95 % confidence interval of the average by Student's t.",
    sql`listed.mean_low`,
  ),
  signedHours(
    'MeanHigh',
    "Upper bound of the 95 % confidence interval of the average by Student's t.",
    sql`listed.mean_high`,
  ),
  text(
    'Verdict',
    'The verdict is over or under if the average is over or under the plan with 95 % confidence, otherwise unsure.',
    {
      from: sql`listed.verdict`,
      queryName: true,
      domain: verdicts,
    },
  ),
  signedHours(
    'HoursAYear',
    'Change of planned hours for the operations of the twelve months up to the newest month with a completion. Sorting or filtering by it is slow with many suggestions.',
    sql`listed.hours_a_year`,
  ),
]);

/**
 * A plan is suggested if there are at least so many operations, and if the average is at least so many percent over or
 * under the plan. The command `takt plan suggest` accepts other values.
 */
const [MIN_OPERATIONS, THRESHOLD] = [sql.raw('20'), sql.raw('10')];

export const planSuggestions = listResource({
  identifier: 9013,
  version: 1,
  path: '/product/structure-versions/plan-suggestions',
  element: 'ProductStructureVersionPlanSuggestion',
  container: 'ProductStructureVersionPlanSuggestions',
  title: headings.ProductStructureVersionPlanSuggestions,
  summary: headings.PlanSuggestionsSummary,
  description:
    'Planned times that differ by 10 % or more from the average of at least 20 completed operations, with that average as the suggested time. Beyond the specification.',
  clientPermission: 'production-times',
  duty: 'read-production-times',
  furtherDuty: 'read-planned-times',
  fields: [key, structureVersion, suggestion],
  source: storedIn({
    table: sql`(SELECT * FROM takt.plan_suggestions WHERE operations >= ${MIN_OPERATIONS} AND takt.differs_from_plan(hours_over_plan, operations, planned, ${THRESHOLD}))`,
    joins: [joinedProduct],
    company: listed.companyId,
  }),
  key,
  searched: [productName, structureVersionName, structureVersionId, productId],
  browsing,
  itemPath: '/product/structure-versions/{}/aggregated-production-times',
  itemKey: structureVersionId,
});
