import type { BackendClasses, IQueueBackend, Job, JobJson, Processor, Worker, WorkerOptions } from 'bullmq';
import type { QueueStore } from './store.js';

/** A job as it comes from a queue: its data may be anything, since any client may have put it there. */
export type EventJob = Job<unknown, unknown, string>;
export type EventWorker = Worker<unknown, unknown, string, IQueueBackend, EventJob['progress'], QueueStore>;
export type EventProcessor = Processor<unknown, unknown, string>;

const dataBytes = new WeakMap<EventJob, number>();

/** How long the JSON text was from which a worker's job was read, in bytes or, where it is not ASCII, fewer. */
export function bytesOf(job: EventJob): number {
  return dataBytes.get(job) ?? 0;
}

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
      const job = this.#createAnyJob(json, jobId);
      dataBytes.set(job, json.data.length);
      return job;
    }

    #createAnyJob(json: JobJson, jobId: string): EventJob {
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
