export {
  correctField,
  type FieldCorrection,
  findCorrectionProblems,
  RefusedCorrectionError,
} from './correct-field.js';
export { companyIn, eventIdsIn } from './event-text.js';
export { type ExportOptions, exportRejectedEvents, type RejectionLimits } from './export-rejected.js';
export {
  NotRejectedError,
  openRejectedEvents,
  type RejectedEvent,
  type RejectedEvents,
  UnreadableJobError,
} from './rejected-events.js';
export {
  openRejectionOverview,
  type RejectionFacts,
  type RejectionOverview,
  type RejectionOverviewOptions,
  type RejectionSnapshot,
} from './rejection-overview.js';
export {
  RESOLVED_DAYS,
  type ResolvedEvent,
  type ResolvedQuery,
  type Resolver,
  type UndoOutcome,
} from './resolved-events.js';
export {
  askQueue,
  type JobKey,
  type ListOptions,
  listFailedJobs,
  readJob,
  type StoredJob,
} from './stored-job.js';
