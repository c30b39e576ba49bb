export { adoptFailedJobs, adoptOldTables, adoptOldTablesOn, STAYS } from './adopt-old.js';
export {
  correctField,
  type FieldCorrection,
  findCorrectionProblems,
  RefusedCorrectionError,
} from './correct-field.js';
export { companyIn, eventIdsIn, eventOf } from './event-text.js';
export {
  countRejections,
  countRules,
  eachRejection,
  FILTER_FIELDS,
  type FilterField,
  findRejection,
  groupByRule,
  isPlace,
  type ListOptions,
  listRejectionIds,
  listRejections,
  listValues,
  RESOLVED_DAYS,
  type Rejection,
  type RejectionFilter,
  type RejectionProblem,
  type RejectionReader,
  type RuleGroup,
} from './list-rejections.js';
export { type NewRejection, recordRejections } from './record-rejections.js';
export { listRefusals, REFUSAL_DAYS, type RefusalReason, type Refusals } from './refusals.js';
export {
  isWaiting,
  type Resolution,
  type ResolutionOutcome,
  type Resolver,
  resolveRejections,
  type Undoer,
  type UndoOutcome,
  undoResolution,
} from './resolve-rejections.js';
