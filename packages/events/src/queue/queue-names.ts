/** The queues of the contract: completions and reopenings apart from reference data. */
export const QUEUE_NAMES = ['work-order-operations', 'reference-data'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** Key prefix on Redis; the braces keep one queue's keys in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{takt}';

/** Name of a job whose data is an array of events; a job with a single event is named by the event's type. */
export const BATCH_JOB_NAME = 'batch';

/** Most events that a `batch` job may hold. */
export const MAX_EVENTS_PER_BATCH = 1_000;
