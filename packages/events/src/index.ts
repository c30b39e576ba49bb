// This entry is for producers. It follows semantic versioning, like the JSON Schemas. The other entries of this package
// serve Takt's own apps and may change with any release.
export { describeProblems, type EventProblem } from './event-problem.js';
export type { ParseResult } from './event-types/define-event.js';
export {
  type EventInput,
  type EventType,
  parseEvent,
  type TaktEvent,
} from './event-types/event-definitions.js';
export { setMaxAhead } from './kinds/instant.js';
export {
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
export { MAX_EVENTS_PER_BATCH, QUEUE_NAMES, type QueueName } from './queue/queue-names.js';
export { QueueUrlError } from './queue/queue-url.js';
export { DeadlineExceededError } from './queue/with-deadline.js';
