import type { QueueName } from '@takt/events';
import type { EventQueue, QueueBackend } from '@takt/events/internal';
import { UnrecoverableError } from 'bullmq';

export interface FailingJob {
  readonly jobId: string;
  readonly data: unknown;
  readonly reason?: string;
}

function queueNamed(name: string): QueueName {
  return name === 'reference-data' ? name : 'work-order-operations';
}

/** Makes jobs fail one after another, in the way of a worker. */
export async function failJobs(
  backend: QueueBackend,
  queue: EventQueue,
  jobs: readonly FailingJob[],
): Promise<void> {
  const worker = backend.openWorker(queueNamed(queue.name), null);
  for (const { jobId, data, reason = 'data.runTime must be hours (got -1)' } of jobs) {
    await queue.add('event', data, { jobId });
    const job = await worker.getNextJob('a-token', { block: false });
    await job?.moveToFailed(new UnrecoverableError(reason), 'a-token', false);
  }
  await worker.close();
}
