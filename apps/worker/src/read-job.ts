import { type EventProblem, MAX_EVENTS_PER_BATCH, parseEvent, type QueueName } from '@takt/events';
import {
  bytesOf,
  describeValue,
  type EventJob,
  type EventsByQueue,
  eventProblem,
  isCarriedBy,
  MAX_JOB_BYTES,
  quote,
  SINGLE_EVENT_JOB_NAME,
  textOf,
  toListable,
  words,
} from '@takt/events/internal';

/** One event of a job: parsed, or with the rules that it breaks. */
export type JobEvent<Event> = {
  /** Returns the event as text, usually JSON. */
  readonly text: () => string;
  /** The type that the event names, if it names one. */
  readonly type?: unknown;
} & ({ readonly event: Event } | { readonly problems: readonly EventProblem[] });

export type AcceptedEvent<Event> = Extract<JobEvent<Event>, { readonly event: Event }>;

export function isAccepted<Event>(item: JobEvent<Event>): item is AcceptedEvent<Event> {
  return 'event' in item;
}

/**
 * Reads the data of a job, which are one event or an array of at most 1,000 events. Never throws, because each invalid
 * event is rejected by itself. A batch that is too long or a job that is too large is rejected as one event.
 */
export function readJob<Queue extends QueueName>(
  job: EventJob,
  queue: Queue,
): readonly JobEvent<EventsByQueue[Queue]>[] {
  const whole = () => textOf(job);
  const bytes = bytesOf(job);
  if (bytes > MAX_JOB_BYTES) {
    const rule = words('must take at most {0} bytes as JSON', MAX_JOB_BYTES);
    return [{ text: whole, problems: [eventProblem('', rule, words('{0} bytes', bytes))] }];
  }
  if (!Array.isArray(job.data) || job.name === SINGLE_EVENT_JOB_NAME) {
    return [{ text: whole, ...parse(job.data, queue) }];
  }
  if (job.data.length > MAX_EVENTS_PER_BATCH) {
    const rule = words('must be one of at most {0} in a batch', MAX_EVENTS_PER_BATCH);
    return [{ text: whole, problems: [eventProblem('', rule, describeValue(job.data))] }];
  }
  return job.data.map((value: unknown) => ({
    text: () => JSON.stringify(toListable(value)),
    ...parse(value, queue),
  }));
}

function parse<Queue extends QueueName>(value: unknown, queue: Queue) {
  const result = parseEvent(value);
  if (!result.ok) {
    return {
      type: typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined,
      problems: result.problems,
    };
  }
  const { event } = result;
  if (isCarriedBy(queue, event)) return { type: event.type, event };
  const rule = words('must be of a type that the queue {0} takes', queue);
  return { type: event.type, problems: [eventProblem('type', rule, quote(event.type))] };
}
