/** The queues of the contract: completions and reopenings, and reference data. */
export const QUEUE_NAMES = ['work-order-operations', 'reference-data'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** Key prefix on Redis; the braces keep a queue's keys in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{takt}';

/** Name of a job with an array of events; other jobs are named by their event's type. */
export const BATCH_JOB_NAME = 'batch';

export const MAX_EVENTS_PER_BATCH = 1_000;
