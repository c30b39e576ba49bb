import {
  describeProblems,
  type EventJob,
  MAX_EVENTS_PER_BATCH,
  parseEvent,
  type TaktEvent,
} from '@takt/events';
import type { Rejection } from './event-outcome.js';
import type { EventStream } from './event-stream.js';
import { REJECTED_EVENT_JOB_NAME } from './list-rejected-alone.js';

type JobLike = Pick<EventJob, 'name' | 'data'>;

interface ArrayData {
  readonly data: readonly unknown[];
}

/** What a job's data turned out to hold. `accepted[i]` stood at `positions[i]` of the job. */
export interface JobContent<Event> {
  readonly isBatch: boolean;
  readonly accepted: readonly Event[];
  readonly positions: readonly number[];
  readonly rejected: ReadonlyMap<number, Rejection>;
}

/**
 * Reads a job's data: one event, or an array of at most 1,000. Nothing is thrown: an event that breaks a rule is
 * rejected by itself. A batch that is too long is rejected as one, at position 0 of a job that is no batch.
 */
export function readJob<Event extends TaktEvent>(
  job: JobLike,
  stream: EventStream<Event>,
): JobContent<Event> {
  if (isBatch(job)) return { isBatch: true, ...readEvents(job.data, stream) };
  if (!holdsArrayOfEvents(job)) return { isBatch: false, ...readEvents([job.data], stream) };
  const reason = `a batch must hold at most ${MAX_EVENTS_PER_BATCH} events (got ${job.data.length})`;
  return { isBatch: false, accepted: [], positions: [], rejected: new Map([[0, { rejected: reason }]]) };
}

/** True for a job whose members are events of their own. */
export function isBatch(job: JobLike): job is JobLike & ArrayData {
  return holdsArrayOfEvents(job) && job.data.length <= MAX_EVENTS_PER_BATCH;
}

function holdsArrayOfEvents(job: JobLike): job is JobLike & ArrayData {
  return Array.isArray(job.data) && job.name !== REJECTED_EVENT_JOB_NAME;
}

function readEvents<Event extends TaktEvent>(values: readonly unknown[], stream: EventStream<Event>) {
  const accepted: Event[] = [];
  const positions: number[] = [];
  const rejected = new Map<number, Rejection>();
  for (const [position, value] of values.entries()) {
    const result = parseEvent(value);
    if (!result.ok) {
      rejected.set(position, { rejected: describeProblems(result.problems) });
    } else if (!stream.accepts(result.event)) {
      rejected.set(position, {
        rejected: `type ${result.event.type} does not belong to queue ${stream.queue}`,
      });
    } else {
      accepted.push(result.event);
      positions.push(position);
    }
  }
  return { accepted, positions, rejected };
}
