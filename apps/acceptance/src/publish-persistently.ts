import { setTimeout as delay } from 'node:timers/promises';
import { openPublisher, type Publisher } from '@takt/events';

/** What a producer does that must not lose an event: it publishes again until the queue has acknowledged. */
export interface PersistentPublisher {
  publish(events: readonly object[], batchSize: number): Promise<void>;
  close(): Promise<void>;
}

const DEADLINE_MS = 120_000;
const RETRY_MS = 200;
const ADD_DEADLINE_MS = 5_000;

export async function openPersistentPublisher(queueUrl: string): Promise<PersistentPublisher> {
  const publisher = await openPublisher(queueUrl, { addDeadlineMs: ADD_DEADLINE_MS, closeDeadlineMs: 2_000 });
  return {
    publish: (events, batchSize) => publishUntilAcknowledged(publisher, events, batchSize),
    close: () => publisher.close(),
  };
}

async function publishUntilAcknowledged(
  publisher: Publisher,
  events: readonly object[],
  batchSize: number,
): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      await publisher.publish(events, { batchSize });
      return;
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await delay(RETRY_MS);
    }
  }
}
