import type { EventQueue } from '@takt/events';
import { askQueue } from './ask-queue.js';

/** Job ids are unique in their queue only. */
export interface JobPlace {
  readonly queue: EventQueue;
  readonly jobId: string;
}

/** A job as it is stored. Any client may have put it there, so its data may be anything. */
export interface StoredJob {
  readonly place: JobPlace;
  /** When it was added, in ms since 1970; NaN where that cannot be read. */
  readonly addedAtMs: number;
  /** When it completed or failed, in ms since 1970; NaN before, or where that cannot be read. */
  readonly finishedAtMs: number;
  /** Why it failed, if it has. */
  readonly failedReason: string;
  readonly deliveries: number;
  /** The event or events; the text itself where it is not JSON. */
  readonly data: unknown;
}

/** Reads a job; undefined where it is gone. Content that cannot be read is told, not thrown. */
export async function readJob(place: JobPlace): Promise<StoredJob | undefined> {
  try {
    // Not through BullMQ's Job, which throws for data that is not JSON.
    const asked = place.queue.getBackend().getJobData(place.jobId);
    const job = await askQueue(place.queue, 'reading a job', asked);
    if (job === undefined) return undefined;
    return {
      place,
      addedAtMs: Number(job.timestamp),
      finishedAtMs: job.finishedOn ?? Number.NaN,
      failedReason: job.failedReason ?? '',
      deliveries: job.attemptsStarted,
      data: parseOrKeep(job.data),
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const failedReason = `the job cannot be read, its options are not JSON: ${error.message}`;
    return {
      place,
      addedAtMs: Number.NaN,
      finishedAtMs: Number.NaN,
      failedReason,
      deliveries: 0,
      data: null,
    };
  }
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
