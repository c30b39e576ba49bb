import type { EventQueue, QueueBackend, QueueName } from '@takt/events';
import { UnrecoverableError } from 'bullmq';

/** An event that the contract allows, unless `data` changes that. */
export function completion(operation: number, data: Readonly<Record<string, unknown>> = {}) {
  return {
    specversion: '1.0',
    id: `event-${operation}`,
    source: '/line-3',
    type: 'work-order-operation.completed.v1',
    time: '2025-01-01T12:00:00Z',
    data: {
      database: 'TEM-NO',
      workOrderOperationId: operation,
      revision: 1,
      productStructureVersionId: 7,
      completedAt: '2025-01-01T12:00:00Z',
      runTime: 1.5,
      ...data,
    },
  };
}

export interface FailingJob {
  readonly jobId: string;
  readonly data: unknown;
  readonly reason?: string;
}

function queueNamed(name: string): QueueName {
  return name === 'reference-data' ? name : 'work-order-operations';
}

/** Lets jobs end among the failed ones of a queue, in their order, as a worker does. */
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
