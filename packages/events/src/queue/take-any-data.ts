import type { BackendClasses, IQueueBackend, JobJson, WorkerOptions } from 'bullmq';
import type { EventJob, EventProcessor, EventWorker } from './queue-backend.js';
import type { QueueStore } from './queue-store.js';

type EventWorkerClass = new (
  name: string,
  processor: EventProcessor | null,
  options: WorkerOptions<QueueStore>,
) => EventWorker;

/**
 * A worker class that takes a job whose data are no JSON: the processor sees the text that is there. BullMQ's own
 * throws while it fetches such a job, so that it stays claimed, is found stalled and fetched again, for ever.
 */
export function takeAnyData(Worker: BackendClasses<IQueueBackend, QueueStore>['Worker']): EventWorkerClass {
  return class extends Worker<unknown, unknown, string> {
    readonly #unreadable = new WeakSet<EventJob>();

    protected override createJob(json: JobJson, jobId: string): EventJob {
      try {
        return super.createJob(json, jobId);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        const job = super.createJob({ ...json, data: JSON.stringify(json.data) }, jobId);
        this.#unreadable.add(job);
        return job;
      }
    }

    protected override async callProcessJob(
      job: EventJob,
      token: string,
      signal?: AbortSignal,
    ): Promise<unknown> {
      // Stored as JSON, else whoever lists the failed jobs meets the same error.
      if (this.#unreadable.has(job)) await job.updateData(job.data);
      return super.callProcessJob(job, token, signal);
    }
  };
}
