import * as schema from '@takt/database/schema';
import { sql } from 'drizzle-orm';
import type { Domain } from '../field.js';
import { nodesWith } from '../nodes-with.js';
import type { ListResource } from '../resource.js';
import { headings as productionTimes } from './aggregated-production-times-headings.js';
import { browsing } from './plan-suggestions-browsing.js';
import { headings } from './plan-suggestions-headings.js';
import {
  listed,
  product,
  productId,
  productName,
  structureVersion,
  key as structureVersionId,
  structureVersionName,
} from './product-structure-version.js';

const { group, hours, integer, percent, signedHours, text } = nodesWith(headings);

const kinds: Domain = {
  object: 'PlanSuggestion',
  field: 'Kind',
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

const suggestion = group('PlanSuggestion', 'What is planned, and what should be. Times are hours.', [
  text('Kind', 'Which of the times of the structure version.', {
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
    'The difference in percent of what is planned, rounded half away from zero to 2 decimals; missing where 0 is planned.',
    sql`listed.over_plan_percent`,
  ),
  integer('NumberOfOperations', 'Completed operations that reported the time.', {
    from: sql`listed.operations`,
    queryName: true,
  }),
  signedHours(
    'HoursOverPlan',
    'Hours that all these operations took more than planned; negative where it was less.',
    sql`listed.hours_over_plan`,
  ),
  signedHours(
    'HoursAYear',
    'What would be planned more for the operations of the twelve months up to the newest in which one was completed. To order or filter by it takes long where there are many suggestions.',
    sql`listed.hours_a_year`,
  ),
]);

/** Operations and percent from which on a plan is worth changing; `takt plan suggest` takes others. */
const [MIN_OPERATIONS, THRESHOLD] = [sql.raw('20'), sql.raw('10')];

export const planSuggestions: ListResource = {
  kind: 'list',
  identifier: 9013,
  version: 1,
  path: '/product/structure-versions/plan-suggestions',
  pathParameters: [],
  parent: undefined,
  element: 'ProductStructureVersionPlanSuggestion',
  container: 'ProductStructureVersionPlanSuggestions',
  title: headings.ProductStructureVersionPlanSuggestions,
  summary: headings.PlanSuggestionsSummary,
  description:
    'Planned times of which the average of at least 20 completed operations differs by 10 % or more, with the average as the time that should be planned. Beyond the specification.',
  clientPermission: 'production-times',
  duty: 'read-production-times',
  furtherDuty: 'read-planned-times',
  fields: [key, structureVersion, suggestion],
  source: {
    table: sql`takt.plan_suggestions(${MIN_OPERATIONS}, ${THRESHOLD})`,
    alias: sql`listed`,
    joins: [
      sql`LEFT JOIN ${schema.products} AS product ON ${product.companyId} = ${listed.companyId} AND ${product.productId} = ${listed.productId}`,
    ],
    company: listed.companyId,
    condition: undefined,
    sizeOf: undefined,
  },
  key,
  keyDirection: 'asc',
  defaultPageSize: 10,
  maximumPageSize: 80,
  searched: [productName, structureVersionName, structureVersionId, productId],
  comparisons: [],
  browsing,
  itemPath: '/product/structure-versions/{}/aggregated-production-times',
  itemKey: structureVersionId,
};
