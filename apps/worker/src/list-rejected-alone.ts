import { createHash } from 'node:crypto';
import { type EventJob, type EventQueue, toListable } from '@takt/events';
import { nextDelayMs, pause } from '@takt/runtime';
import { GivenUpError, unlessAborted } from './unless-aborted.js';

/** Names a job that holds one rejected event without a type of its own; even an array in it is no batch. */
export const REJECTED_EVENT_JOB_NAME = 'rejected-event';

const BACKOFF = { firstDelayMs: 100, maxDelayMs: 5_000 };

/**
 * Makes a job of its own out of each rejected event of a batch. When a worker takes it, it is rejected again and
 * stays in the failed set, where an operator can see, correct, retry or discard it without touching its mates.
 *
 * The job ids follow from the batch, the position and the event, so a batch that is delivered again adds nothing,
 * while another batch under an id that was used before loses nothing. Tries until the queue takes the jobs; rejects
 * with a GivenUpError once `signal` is aborted.
 */
export async function listRejectedAlone(
  queue: EventQueue,
  batch: EventJob,
  positions: Iterable<number>,
  signal: AbortSignal,
): Promise<void> {
  const events: readonly unknown[] = Array.isArray(batch.data) ? batch.data : [];
  const jobs = Array.from(positions, (position) => {
    const data = toListable(events[position]);
    return {
      name: nameOf(data),
      data,
      opts: {
        jobId: jobIdOf(`${batch.id} ${position} ${JSON.stringify(data)}`),
        attempts: 1,
        removeOnComplete: true,
        removeOnFail: false,
      },
    };
  });
  for (let failures = 1; ; failures++) {
    try {
      // Where the queue cannot be reached, an addition may never settle.
      await unlessAborted(signal, () => queue.addBulk(jobs));
      return;
    } catch (error) {
      if (error instanceof GivenUpError) throw error;
      await pause(nextDelayMs(failures, BACKOFF), signal);
    }
  }
}

function jobIdOf(identity: string): string {
  return `rejected-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`;
}

/** A job is named by its event's type where it has one. */
function nameOf(event: unknown): string {
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;
  return typeof type === 'string' && type.length > 0 && type.length <= 255 ? type : REJECTED_EVENT_JOB_NAME;
}
