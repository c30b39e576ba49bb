/**
 * The queues of the contract. The first has completions and reopenings of operations, the second has reference data.
 */
export const QUEUE_NAMES = ['work-order-operations', 'reference-data'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** Prefix of all keys of the queues on Redis. The braces keep the keys of a queue in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{takt}';

/** Name of a job that contains an array of events. A job with a single event is named by the type of the event. */
export const BATCH_JOB_NAME = 'batch';

/**
 * Name of a job with one event that was rejected and retried. The data of such a job are never read as a batch, even if
 * they are an array.
 */
export const SINGLE_EVENT_JOB_NAME = 'rejected-event';

/**
 * Size limit of the data of a job as JSON, in characters. Takt's publishers make no larger job, and a worker rejects a
 * larger one, because its values would take several times as much memory.
 */
export const MAX_JOB_BYTES = 16 * 2 ** 20;

export const MAX_EVENTS_PER_BATCH = 1_000;
