import type { EventQueue } from '@takt/events';
import { CommandError, describeError, UsageError } from './errors.js';
import { askQueue, type JobKey } from './queues.js';
import type { Terminal } from './terminal.js';

/** The id of a rejected event as it is printed and pasted back: QUEUE/JOB. */
export function formatRejectedId({ queue, jobId }: JobKey): string {
  return `${queue.name}/${jobId}`;
}

/** Reads an id that was pasted back. Throws a UsageError where it does not name a queue. */
export function parseRejectedId(id: string, queues: readonly EventQueue[]): JobKey {
  const slash = id.indexOf('/');
  const queue = queues.find(({ name }) => name === id.slice(0, Math.max(slash, 0)));
  const jobId = id.slice(slash + 1);
  if (queue === undefined || jobId === '') {
    const names = queues.map(({ name }) => name).join(' or ');
    throw new UsageError(
      `${id} is no id of a rejected event: it begins with ${names} and a slash, as takt rejected list prints it`,
    );
  }
  return { queue, jobId };
}

/** Throws a CommandError where nothing rejected stands under the key. */
export async function assertIsRejected(key: JobKey): Promise<void> {
  const asked = key.queue.getJobState(key.jobId);
  if ((await askQueue(key.queue, 'the state of a job', asked)) !== 'failed') throw notRejected(key);
}

/** What to say of an id that was right once, or never. */
export function notRejected(key: JobKey): CommandError {
  return new CommandError(
    `${formatRejectedId(key)} is not rejected, or no longer: takt rejected list shows what is`,
  );
}

/**
 * Puts a rejected event back among the waiting ones, as if it had never been delivered. Throws a CommandError where
 * it is not rejected or cannot be read.
 */
export async function retryRejected(key: JobKey): Promise<void> {
  await assertIsRejected(key);
  const { queue, jobId } = key;
  const job = await askQueue(queue, 'reading a job', queue.getJob(jobId)).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(`${formatRejectedId(key)} cannot be read and so not be retried: discard it`);
  });
  if (job === undefined) throw notRejected(key);
  const retried = job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  await askQueue(queue, 'retrying a job', retried).catch(async (error: unknown) => {
    // Somebody else may have been faster.
    await assertIsRejected(key);
    throw error;
  });
}

/** Removes a rejected event for good. Throws a CommandError where it is not rejected. */
export async function discardRejected(key: JobKey): Promise<void> {
  await assertIsRejected(key);
  const removed = await askQueue(key.queue, 'removing a job', key.queue.remove(key.jobId));
  if (removed !== 1) throw notRejected(key);
}

const CHANGES_AT_A_TIME = 50;

/** Changes rejected events; one that cannot be changed is told and does not stop the others. Gives how many were. */
export async function changeRejected(
  keys: readonly JobKey[],
  change: (key: JobKey) => Promise<void>,
  terminal: Terminal,
): Promise<number> {
  let changed = 0;
  const changeOne = async (key: JobKey) => {
    try {
      await change(key);
      changed += 1;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      terminal.say(`takt: ${describeError(error)}`);
      terminal.fail();
    }
  };
  for (let start = 0; start < keys.length; start += CHANGES_AT_A_TIME) {
    await Promise.all(keys.slice(start, start + CHANGES_AT_A_TIME).map(changeOne));
  }
  return changed;
}
