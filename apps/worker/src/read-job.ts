import { describeProblems, MAX_EVENTS_PER_BATCH, parseEvent, type QueueName } from '@takt/events';
import {
  type EventJob,
  type EventsByQueue,
  isCarriedBy,
  MAX_JOB_BYTES,
  oversizedBytes,
} from '@takt/events/internal';
import type { Rejection } from './event-stream.js';

/**
 * Name of a job for one rejected event that has no type. The data of such a job are never read as a batch, even if they
 * are an array.
 */
export const REJECTED_EVENT_JOB_NAME = 'rejected-event';

type JobLike = Pick<EventJob, 'name' | 'data'>;

interface ArrayData {
  readonly data: readonly unknown[];
}

/**
 * The content of a job. The event `accepted[i]` was at index `positions[i]` of the job. `rejected` has the rejected
 * events by their position in the job.
 */
export interface JobContent<Event> {
  readonly accepted: readonly Event[];
  readonly positions: readonly number[];
  readonly rejected: Map<number, Rejection>;
}

/**
 * Reads the data of a job, which are one event or an array of at most 1,000 events. Never throws, because each invalid
 * event is rejected by itself. A batch that is too long, or was too large to fetch, is rejected as a whole at position
 * 0.
 */
export function readJob<Queue extends QueueName>(
  job: JobLike,
  queue: Queue,
): JobContent<EventsByQueue[Queue]> {
  const bytes = oversizedBytes(job.data);
  if (bytes !== undefined) {
    return rejectWhole(
      `a job must hold at most ${MAX_JOB_BYTES} bytes (got ${bytes}), it was put aside unread`,
    );
  }
  if (isBatch(job)) return readEvents(job.data, queue);
  if (!holdsArrayOfEvents(job)) return readEvents([job.data], queue);
  return rejectWhole(`a batch must hold at most ${MAX_EVENTS_PER_BATCH} events (got ${job.data.length})`);
}

function rejectWhole(rejected: string): JobContent<never> {
  return { accepted: [], positions: [], rejected: new Map([[0, { rejected }]]) };
}

export function isBatch(job: JobLike): job is JobLike & ArrayData {
  return holdsArrayOfEvents(job) && job.data.length <= MAX_EVENTS_PER_BATCH;
}

function holdsArrayOfEvents(job: JobLike): job is JobLike & ArrayData {
  return Array.isArray(job.data) && job.name !== REJECTED_EVENT_JOB_NAME;
}

function readEvents<Queue extends QueueName>(
  values: readonly unknown[],
  queue: Queue,
): JobContent<EventsByQueue[Queue]> {
  const accepted: EventsByQueue[Queue][] = [];
  const positions: number[] = [];
  const rejected = new Map<number, Rejection>();
  for (const [position, value] of values.entries()) {
    const result = parseEvent(value);
    if (!result.ok) {
      rejected.set(position, { rejected: describeProblems(result.problems) });
    } else if (!isCarriedBy(queue, result.event)) {
      rejected.set(position, { rejected: `type ${result.event.type} does not belong to queue ${queue}` });
    } else {
      accepted.push(result.event);
      positions.push(position);
    }
  }
  return { accepted, positions, rejected };
}
