// This entry has the parts that only Takt's own apps need. It may change with any release.
export {
  type Found,
  type FoundPhrase,
  quote,
  type RulePhrase,
  ruleOf,
  rulePhrases,
  type Words,
} from './event-problem.js';
export type { EventDefinition } from './event-types/define-event.js';
export { eventFieldPaths, withEventField } from './event-types/edit-field.js';
export {
  type EventsByQueue,
  eventDefinitions,
  isCarriedBy,
  queueOf,
} from './event-types/event-definitions.js';
export { namePlacesIn, nameRule } from './event-types/object-names.js';
export { readInstant } from './kinds/instant.js';
export { readUriReference } from './kinds.js';
export { MAX_JOB_BYTES, oversizedBytes, oversizedBytesOfText } from './queue/bounded-reads.js';
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
} from './queue/queue-backend.js';
export { BATCH_JOB_NAME, QUEUE_PREFIX } from './queue/queue-names.js';
export type {
  ConnectionPool,
  FailedJob,
  FailedJobKey,
  FailedJobsView,
  JobCounts,
  QueueDurabilityProblem,
  StoreView,
} from './queue/store.js';
export { toListable } from './to-listable.js';
