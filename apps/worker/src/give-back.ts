import type { EventJob } from '@takt/events';
import { WaitingError } from 'bullmq';

/**
 * Ends the handling of a job without a result and gives it back to its queue at once. Where the queue cannot be
 * reached this never settles: the job stays claimed, the process ends, and the claim runs out.
 */
export async function giveBack(job: EventJob): Promise<never> {
  try {
    await job.moveToWait(job.token);
  } catch {
    return new Promise<never>(() => undefined);
  }
  throw new WaitingError();
}
