import type { EventJob } from '@takt/events';
import { WaitingError } from 'bullmq';

/**
 * Ends the handling of a job without a result and gives it back to its queue at once. Where the queue cannot be
 * reached this does not settle before the process ends: the job stays claimed, and the claim runs out.
 */
export async function giveBack(job: EventJob): Promise<never> {
  // A refusal says that the claim has run out and the job is back in the queue already.
  await job.moveToWait(job.token).catch(() => undefined);
  throw new WaitingError();
}
