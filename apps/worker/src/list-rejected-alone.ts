import { createHash } from 'node:crypto';
import type { EventJob, EventQueue } from '@takt/events';

/**
 * Makes a job of its own out of each rejected event of a batch. When a worker takes it, it is rejected again and
 * stays in the failed set, where an operator can see, correct, retry or discard it without touching its mates.
 *
 * The job ids follow from the batch and the position, so a batch that is delivered again adds nothing.
 */
export async function listRejectedAlone(
  queue: EventQueue,
  batch: EventJob,
  positions: Iterable<number>,
): Promise<void> {
  const events: readonly unknown[] = Array.isArray(batch.data) ? batch.data : [];
  const jobs = Array.from(positions, (position) => ({
    name: nameOf(events[position]),
    data: events[position],
    opts: {
      jobId: `rejected-${createHash('sha256').update(`${batch.id} ${position}`).digest('hex').slice(0, 32)}`,
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: false,
    },
  }));
  if (jobs.length > 0) await queue.addBulk(jobs);
}

/** A job is named by its event's type where it has one. */
function nameOf(event: unknown): string {
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;
  return typeof type === 'string' && type.length > 0 && type.length <= 255 ? type : 'event';
}
