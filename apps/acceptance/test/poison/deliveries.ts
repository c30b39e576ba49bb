import { QUEUE_NAMES } from '@takt/events';
import type { GoodEvents } from './good-events.js';
import type { PlainJob } from './plain-client.js';
import type { Poison } from './poison.js';

const BAD_EVENTS_A_BATCH = 10;

/** Each bad event in a job of its own, with a good one after it. */
export function asSingleJobs(poisons: readonly Poison[], good: GoodEvents): readonly PlainJob[] {
  const singles = poisons.filter(({ isArray }) => isArray !== true);
  return singles.flatMap(({ queue, json }, index) => [
    { queue, jobId: `single-${index}`, text: json },
    { queue: 'work-order-operations', jobId: `good-${index}`, text: good.next() },
  ]);
}

/** The bad events in batches; in the queue of operations every second member is a good one. */
export function asBatches(poisons: readonly Poison[], good: GoodEvents): readonly PlainJob[] {
  return QUEUE_NAMES.flatMap((queue) => {
    const own = poisons.filter((poison) => poison.queue === queue).map(({ json }) => json);
    return Array.from({ length: Math.ceil(own.length / BAD_EVENTS_A_BATCH) }, (_, index) => {
      const bad = own.slice(index * BAD_EVENTS_A_BATCH, (index + 1) * BAD_EVENTS_A_BATCH);
      const members = queue === 'work-order-operations' ? bad.flatMap((json) => [good.next(), json]) : bad;
      return { queue, jobId: `batch-${queue}-${index}`, text: `[${members.join(',')}]` };
    });
  });
}
