export type { FigureStyle, QuickFilter, TotalsTexts, View } from './browsing.js';
export { aggregatedProductionTimes } from './definitions/aggregated-production-times.js';
export { COMPARE_PATH, COMPARED_IDS } from './definitions/aggregated-production-times-browsing.js';
export { error, PAGING_DETAILS, paging, service, serviceTexts, size } from './definitions/documents.js';
export { EXPANDABLE_FIELDS } from './definitions/metadata.js';
export { isOfComparison, isOfPeriods } from './definitions/period.js';
export { savedViews } from './definitions/saved-views.js';
export { SUMMARY } from './definitions/summary.js';
export { domainDescriptionOf, withDomainDescriptions } from './domain-descriptions.js';
export {
  type Collection,
  expandableNodesOf,
  type Field,
  type FieldType,
  type Group,
  jsonName,
  type Leaf,
  type Lookup,
  leavesOf,
  type Node,
  type StoredDecimal,
} from './field.js';
export { documentNodes } from './field-builders.js';
export {
  familyAt,
  hasParameter,
  newestOf,
  resourceFamilies,
  restrictFamily,
  servedDomains,
  versionFor,
} from './registry.js';
export {
  browsedField,
  type ComputedRows,
  type ComputedSource,
  type DetailResource,
  expandableIn,
  fillPath,
  filterFieldsOf,
  isComputed,
  itemKeyOf,
  type ListResource,
  notFoundOf,
  type PathParameter,
  queryFieldsOf,
  quickFiltersOf,
  type Resource,
  type ResourceFamily,
  type ResourceParameter,
  type Source,
  type StoredDetail,
  type TimeComparison,
  type TimeFigure,
  timeFigures,
  viewsOf,
} from './resource.js';
export { describedResource, inRequestedPeriod } from './resource-of-period.js';
