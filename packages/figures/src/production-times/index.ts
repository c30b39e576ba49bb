export { isOfTheData, type MisnamedOutcome, type Postponed, type RejectionWriter } from '../apply-batch.js';
export {
  applyWorkOrderOperationEvents,
  type IneffectiveOutcome,
  type PrunedOutcome,
  type WorkOrderOperationEvent,
} from './apply-work-order-operation-events.js';
export { type AuditDifference, type AuditReport, auditProductionTimes } from './audit-production-times.js';
export { nameOfVersion, type VersionName } from './object-names.js';
export {
  type PruneOptions,
  type PrunePlan,
  type PruneReport,
  planPruning,
  pruneOperations,
  YOUNGEST_DAYS,
} from './prune-operations.js';
export { type RebuildReport, rebuildProductionTimes } from './rebuild-production-times.js';
export {
  countUnsureSuggestions,
  type PlanChange,
  type PlanSuggestion,
  readPlanChanges,
  type SuggestionOptions,
  suggestPlans,
  type TimeKind,
} from './suggest-plans.js';
export {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
  type UnlistedStructureVersion,
  type UnlistedSummary,
} from './unlisted-structure-versions.js';
