export {
  applyWorkOrderOperationEvents,
  type IneffectiveOutcome,
  type WorkOrderOperationEvent,
} from './apply-work-order-operation-events.js';
export { type AuditDifference, type AuditReport, auditProductionTimes } from './audit-production-times.js';
export { type RebuildReport, rebuildProductionTimes } from './rebuild-production-times.js';
export {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
  type UnlistedStructureVersion,
  type UnlistedSummary,
} from './unlisted-structure-versions.js';
