export {
  describeProblems,
  type EventProblem,
  type Found,
  type FoundPhrase,
  type RulePhrase,
  ruleOf,
  rulePhrases,
  type Words,
} from './event-problem.js';
export type { EventDefinition, ParseResult } from './event-types/define-event.js';
export { eventFieldPaths, withEventField } from './event-types/edit-field.js';
export {
  type EventsByQueue,
  type EventType,
  eventDefinitions,
  isCarriedBy,
  parseEvent,
  queueOf,
  type TaktEvent,
} from './event-types/event-definitions.js';
export type {
  WorkOrderOperationCompleted,
  WorkOrderOperationReopened,
} from './event-types/work-order-operation-events.js';
export {
  findPublishingProblems,
  InvalidEventError,
  type Preparation,
  type PreparedEvent,
  prepareEvent,
} from './publisher/prepare-events.js';
export {
  openPublisher,
  type Published,
  type Publisher,
  type PublisherOptions,
  type PublishOptions,
} from './publisher/publisher.js';
export { MAX_JOB_BYTES, oversizedBytes, standsForOversizedData } from './queue/bounded-reads.js';
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
export {
  BATCH_JOB_NAME,
  MAX_EVENTS_PER_BATCH,
  QUEUE_NAMES,
  QUEUE_PREFIX,
  type QueueName,
} from './queue/queue-names.js';
export { QueueUrlError } from './queue/queue-url.js';
export type {
  ConnectionPool,
  FailedJob,
  FailedJobKey,
  FailedJobsView,
  JobCounts,
  QueueDurabilityProblem,
  StoreView,
} from './queue/store.js';
export { DeadlineExceededError } from './queue/with-deadline.js';
export { toListable } from './to-listable.js';
