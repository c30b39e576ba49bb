import type { EventQueue } from '../queue/queue-backend.js';
import { addJobs } from './add-jobs.js';
import { type BackpressureSettings, createBackpressure } from './backpressure.js';
import type { InFlightLimit } from './in-flight-limit.js';
import { chunksOf, type PlannedJob } from './plan-jobs.js';

/** The way of jobs into one queue. */
export interface PublishLane {
  /** Adds jobs of up to `batchSize` events each; rejects as Publisher.publish says. */
  readonly publishJobs: (jobs: readonly PlannedJob[], batchSize: number) => Promise<void>;
}

export interface PublishLaneSettings extends BackpressureSettings {
  /** Undefined: 200,000, or fewer for large batches. */
  readonly maxWaitingJobs: number | undefined;
  readonly addDeadlineMs: number;
}

/** What one round trip may carry. */
const MAX_EVENTS_PER_ADDITION = 10_000;
const MAX_JOBS_PER_ADDITION = 1_000;
const MAX_WAITING_JOBS = 200_000;
/** Some eight gigabytes in Redis; jobs are counted as if each held as many events as ours. */
const MAX_WAITING_EVENTS = 20_000_000;

/** Opens the way into `queue`; `limit` bounds the events that all lanes together have under way. */
export function openPublishLane(
  queue: EventQueue,
  limit: InFlightLimit,
  settings: PublishLaneSettings,
): PublishLane {
  const backpressure = createBackpressure(queue, settings);
  const maxWaitingJobs = (batchSize: number) =>
    settings.maxWaitingJobs ?? Math.min(MAX_WAITING_JOBS, MAX_WAITING_EVENTS / batchSize);

  return {
    publishJobs: async (jobs, batchSize) => {
      const jobsPerAddition = Math.min(
        MAX_JOBS_PER_ADDITION,
        Math.floor(MAX_EVENTS_PER_ADDITION / batchSize),
      );
      for (const chunk of chunksOf(jobs, jobsPerAddition)) {
        await backpressure.waitForRoom(chunk.length, maxWaitingJobs(batchSize));
        await limit.run(chunk.length * batchSize, settings.roomDeadlineMs, () =>
          addJobs(queue, chunk, settings.addDeadlineMs),
        );
      }
    },
  };
}
