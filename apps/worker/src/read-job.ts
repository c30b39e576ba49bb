import { describeProblems, MAX_EVENTS_PER_BATCH, parseEvent, type TaktEvent } from '@takt/events';
import type { Rejection } from './event-outcome.js';
import type { EventStream } from './event-stream.js';

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
  data: unknown,
  stream: EventStream<Event>,
): JobContent<Event> {
  if (!Array.isArray(data)) return { isBatch: false, ...readEvents([data], stream) };
  if (data.length <= MAX_EVENTS_PER_BATCH) return { isBatch: true, ...readEvents(data, stream) };
  const reason = `a batch must hold at most ${MAX_EVENTS_PER_BATCH} events (got ${data.length})`;
  return { isBatch: false, accepted: [], positions: [], rejected: new Map([[0, { rejected: reason }]]) };
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
