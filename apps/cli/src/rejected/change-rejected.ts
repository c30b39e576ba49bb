import { CommandError } from '../command-error.js';
import { describeError } from '../output/describe-error.js';
import { askQueue } from '../queues/ask-queue.js';
import type { JobPlace } from '../queues/read-job.js';
import type { Terminal } from '../terminal.js';
import { assertIsRejected, formatRejectedId, notRejected } from './rejected-id.js';

/**
 * Puts a rejected event back among the waiting ones, as if it had never been delivered. Throws a CommandError where
 * it is not rejected or cannot be read.
 */
export async function retryRejected(place: JobPlace): Promise<void> {
  await assertIsRejected(place);
  const { queue, jobId } = place;
  const job = await askQueue(queue, 'reading a job', queue.getJob(jobId)).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(`${formatRejectedId(place)} cannot be read and so not be retried: discard it`);
  });
  if (job === undefined) throw notRejected(place);
  const retried = job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  await askQueue(queue, 'retrying a job', retried).catch(async (error: unknown) => {
    // Somebody else may have been faster.
    await assertIsRejected(place);
    throw error;
  });
}

/** Removes a rejected event for good. Throws a CommandError where it is not rejected. */
export async function discardRejected(place: JobPlace): Promise<void> {
  await assertIsRejected(place);
  const removed = await askQueue(place.queue, 'removing a job', place.queue.remove(place.jobId));
  if (removed !== 1) throw notRejected(place);
}

const CHANGES_AT_A_TIME = 50;

/** Changes rejected events; one that cannot be changed is told and does not stop the others. Gives how many were. */
export async function changeRejected(
  places: readonly JobPlace[],
  change: (place: JobPlace) => Promise<void>,
  terminal: Terminal,
): Promise<number> {
  let changed = 0;
  const changeOne = async (place: JobPlace) => {
    try {
      await change(place);
      changed += 1;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      terminal.say(`takt: ${describeError(error)}`);
      terminal.fail();
    }
  };
  for (let start = 0; start < places.length; start += CHANGES_AT_A_TIME) {
    await Promise.all(places.slice(start, start + CHANGES_AT_A_TIME).map(changeOne));
  }
  return changed;
}
