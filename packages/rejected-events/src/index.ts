export { companyIn } from './event-text.js';
export { type ExportOptions, exportRejectedEvents, type RejectionLimits } from './export-rejected.js';
export { openRejectedEvents, type RejectedEvent, type RejectedEvents } from './rejected-events.js';
export { NotRejectedError, UnreadableJobError } from './rejection-errors.js';
export {
  openRejectionOverview,
  type RejectionFacts,
  type RejectionOverview,
  type RejectionOverviewOptions,
  type RejectionSnapshot,
} from './rejection-overview.js';
export { ruleOf } from './rejection-rule.js';
export {
  askQueue,
  type JobKey,
  type ListOptions,
  listFailedJobs,
  readJob,
  type StoredJob,
} from './stored-job.js';
