import { type EventQueue, openQueueBackend, QUEUE_NAMES } from '@takt/events';

/** Both queues of the contract, to look into and to change. */
export interface Queues {
  readonly all: readonly EventQueue[];
  close(): Promise<void>;
}

/** Opens both queues. Rejects as openQueueBackend does. */
export async function openQueues(queueUrl: string): Promise<Queues> {
  // Errors without a caller also fail the call that follows.
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
  return { all: QUEUE_NAMES.map((name) => backend.openQueue(name)), close: backend.close };
}
