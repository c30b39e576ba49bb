/**
 * The queues of the contract. The first has completions and reopenings of operations, the second has reference data.
 */
export const QUEUE_NAMES = ['work-order-operations', 'reference-data'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** Prefix of all keys of the queues on Redis. The braces keep the keys of a queue in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{takt}';

/** Name of a job that contains an array of events. A job with a single event is named by the type of the event. */
export const BATCH_JOB_NAME = 'batch';

export const MAX_EVENTS_PER_BATCH = 1_000;
