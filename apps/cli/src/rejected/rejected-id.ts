import type { EventQueue } from '@takt/events';
import { CommandError, UsageError } from '../command-error.js';
import { askQueue } from '../queues/ask-queue.js';
import type { JobPlace } from '../queues/read-job.js';

/** The id of a rejected event as it is printed and pasted back: QUEUE/JOB. */
export function formatRejectedId({ queue, jobId }: JobPlace): string {
  return `${queue.name}/${jobId}`;
}

/** Reads an id that was pasted back. Throws a UsageError where it does not name a queue. */
export function parseRejectedId(id: string, queues: readonly EventQueue[]): JobPlace {
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

/** Throws a CommandError where nothing rejected stands at the place. */
export async function assertIsRejected(place: JobPlace): Promise<void> {
  const asked = place.queue.getJobState(place.jobId);
  if ((await askQueue(place.queue, 'the state of a job', asked)) !== 'failed') throw notRejected(place);
}

/** What to say of an id that was right once, or never. */
export function notRejected(place: JobPlace): CommandError {
  return new CommandError(
    `${formatRejectedId(place)} is not rejected, or no longer: takt rejected list shows what is`,
  );
}
