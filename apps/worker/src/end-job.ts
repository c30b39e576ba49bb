import { createHash } from 'node:crypto';
import { type EventJob, type EventQueue, toListable } from '@takt/events/internal';
import { nextDelayMs } from '@takt/run';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { keepTrying, type PersistenceOptions } from './apply-reliably.js';
import { isBatch, REJECTED_EVENT_JOB_NAME } from './read-job.js';

// This file has the ways in which a job ends without acknowledgement: the job is returned, postponed, or has rejected
// events.

/**
 * Ends a job without a result and returns it to its queue at once. If the queue is unreachable, the promise does not
 * settle before the process ends, and the job stays claimed until its claim expires.
 */
export async function giveBack(job: EventJob): Promise<never> {
  // An error means that the claim has expired and that the job is already back in the queue.
  await job.moveToWait(job.token).catch(() => undefined);
  throw new WaitingError();
}

/**
 * The delay doubles with each delivery, up to the maximum. So after an outage of an hour, a node gets its events at
 * most five minutes later, and waiting jobs cost the worker little.
 */
const POSTPONEMENT = { firstDelayMs: 1_000, maxDelayMs: 300_000 };

/** Ends a job that has postponed events. The queue delivers the job again after a delay. */
export async function postpone(job: EventJob): Promise<never> {
  const delayMs = nextDelayMs(job.attemptsStarted, POSTPONEMENT);
  // An error means that the claim has expired and that the job is already back in the queue.
  await job.moveToDelayed(Date.now() + delayMs, job.token).catch(() => undefined);
  throw new DelayedError();
}

/**
 * Ends a job whose events at `positions` are rejected. If the job has a single event, the job fails with the reason and
 * is not retried. If the job is a batch, each rejected event becomes a job of its own, and the batch can be
 * acknowledged. A worker that takes such a job rejects it again. The job then stays among the failed jobs, where an
 * operator can correct, retry or discard it separately. The ids of these jobs are derived from the batch, the position
 * and the event. So a batch that is delivered again adds nothing, and another batch with a reused id loses nothing.
 * Retries until the queue accepts the jobs. Rejects with a GivenUpError once `signal` is aborted.
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

/** Returns the name of the job for an event. It is the type of the event, if the event has one. */
function nameOf(event: unknown): string {
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;
  return typeof type === 'string' && type.length > 0 && type.length <= 255 ? type : REJECTED_EVENT_JOB_NAME;
}
