import type { EventJob } from '@takt/events/internal';
import { nextDelayMs } from '@takt/run';
import { DelayedError, WaitingError } from 'bullmq';

// This file has the ways in which a job ends without acknowledgement: the job is returned or postponed.

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
