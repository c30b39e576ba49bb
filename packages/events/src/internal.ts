// This entry has the parts that only Takt's own apps need. It may change with any release.
export {
  describeValue,
  eventProblem,
  type Found,
  type FoundPhrase,
  quote,
  type RulePhrase,
  ruleOf,
  rulePhrases,
  type Words,
  words,
  workerRulePhrases,
} from './event-problem.js';
export type { EventDefinition } from './event-types/define-event.js';
export {
  eventFieldPaths,
  type FieldRule,
  fieldRulesOf,
  withEventField,
} from './event-types/edit-field.js';
export {
  type EventsByQueue,
  eventDefinitions,
  isCarriedBy,
  queueOf,
} from './event-types/event-definitions.js';
export { namePlacesIn, nameRule } from './event-types/object-names.js';
export { readInstant } from './kinds/instant.js';
export { readUriReference } from './kinds.js';
export { type ClockState, MAX_CLOCK_DIFFERENCE_MS } from './queue/clock-watch.js';
export {
  checkQueueDurability,
  migrateQueueSchema,
  type QueueDurabilityOptions,
} from './queue/open-store.js';
export {
  bytesOf,
  type EventJob,
  type EventProcessor,
  type EventQueue,
  type EventWorker,
  type EventWorkerOptions,
  openQueueBackend,
  type QueueBackend,
  type QueueBackendOptions,
  textOf,
} from './queue/queue-backend.js';
export {
  BATCH_JOB_NAME,
  MAX_JOB_BYTES,
  QUEUE_PREFIX,
  SINGLE_EVENT_JOB_NAME,
} from './queue/queue-names.js';
export type {
  ConnectionPool,
  JobCounts,
  QueueDurabilityProblem,
  StoreView,
} from './queue/store.js';
export { REJECTED } from './queue/store.js';
export {
  askQueue,
  type FailedJobsOptions,
  type JobKey,
  listFailedJobs,
  readJob,
  type StoredJob,
} from './queue/stored-job.js';
export { toListable } from './to-listable.js';
