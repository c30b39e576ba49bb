import { createHash } from 'node:crypto';
import { type EventJob, type EventQueue, toListable } from '@takt/events';
import { nextDelayMs } from '@takt/run';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { keepTrying, type PersistenceOptions } from './apply-reliably.js';
import { isBatch, REJECTED_EVENT_JOB_NAME } from './read-job.js';

// How a job ends that is not simply acknowledged: given back, postponed, or with events that are rejected.

/**
 * Ends the handling of a job without a result and gives it back to its queue at once. Where the queue cannot be
 * reached this does not settle before the process ends: the job stays claimed, and the claim runs out.
 */
export async function giveBack(job: EventJob): Promise<never> {
  // An error says that the claim has run out and the job is back in the queue already.
  await job.moveToWait(job.token).catch(() => undefined);
  throw new WaitingError();
}

/**
 * Doubles with each delivery, so a node that was away for an hour gets its events at most that much later, and the jobs
 * that wait for it cost the worker little meanwhile.
 */
const POSTPONEMENT = { firstDelayMs: 1_000, maxDelayMs: 300_000 };

/** Ends the handling of a job that holds postponed events: the queue delivers it again after a while. */
export async function postpone(job: EventJob): Promise<never> {
  const delayMs = nextDelayMs(job.attemptsStarted, POSTPONEMENT);
  // An error says that the claim has run out and the job is back in the queue already.
  await job.moveToDelayed(Date.now() + delayMs, job.token).catch(() => undefined);
  throw new DelayedError();
}

/**
 * Ends a job of which the events at `positions` are rejected. One that is no batch fails with the reason and is not
 * tried again by itself. Of a batch, each of these events becomes a job of its own, and the batch can be acknowledged.
 * When a worker takes such a job, it is rejected again and stays in the failed set, where an operator can see,
 * correct, retry or discard it without touching its mates.
 *
 * The job ids follow from the batch, the position and the event, so a batch that is delivered again adds nothing,
 * while another batch under an id that was used before loses nothing. Tries until the queue takes the jobs, however
 * often it refuses; rejects with a GivenUpError once `signal` is aborted.
 */
export async function rejectEvents(
  queue: EventQueue,
  job: EventJob,
  positions: Iterable<number>,
  reason: string,
  persistence: PersistenceOptions,
): Promise<void> {
  if (!isBatch(job)) throw new UnrecoverableError(reason);
  const { id, data: events } = job;
  const jobs = Array.from(positions, (position) => {
    const data = toListable(events[position]);
    return {
      name: nameOf(data),
      data,
      opts: {
        jobId: jobIdOf(`${id} ${position} ${JSON.stringify(data)}`),
        attempts: 1,
        removeOnComplete: true,
        removeOnFail: false,
      },
    };
  });
  await keepTrying(() => queue.addBulk(jobs), persistence);
}

function jobIdOf(identity: string): string {
  return `rejected-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`;
}

/** A job is named by its event's type where it has one. */
function nameOf(event: unknown): string {
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;
  return typeof type === 'string' && type.length > 0 && type.length <= 255 ? type : REJECTED_EVENT_JOB_NAME;
}
