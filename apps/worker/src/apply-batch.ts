import { inTransaction } from '@takt/database';
import type { QueueName } from '@takt/events';
import type { EventsByQueue } from '@takt/events/internal';
import { type NewRejection, recordRejections } from '@takt/rejections';
import type pg from 'pg';
import { type EventOutcome, type EventStream, isRejection } from './event-stream.js';
import { isAccepted, type JobEvent } from './read-job.js';

/**
 * Returns a function that applies a batch of events and records those that are rejected, in the same transaction. It
 * returns the outcomes, in order. If a batch had rejections, the next one probably has some too, so it takes the longer
 * transaction at once.
 */
export function createApply<Queue extends QueueName>(
  { queue, apply }: EventStream<Queue>,
  pool: pg.Pool,
): (items: readonly JobEvent<EventsByQueue[Queue]>[]) => Promise<readonly EventOutcome[]> {
  let hadRejections = false;
  return async (items) => {
    const accepted = items.filter(isAccepted);
    const invalid = items.flatMap((item): readonly NewRejection[] =>
      isAccepted(item) ? [] : [{ queue, text: item.text(), problems: item.problems }],
    );
    const writeInvalid = (session: pg.ClientBase) => recordRejections(session, invalid);
    const write = (session: pg.ClientBase, outcomes: ReadonlyMap<number, EventOutcome>) => {
      const rejected = [...outcomes].flatMap(([index, outcome]): readonly NewRejection[] => {
        const item = accepted[index];
        return item !== undefined && isRejection(outcome)
          ? [{ queue, text: item.text(), problems: outcome.rejected }]
          : [];
      });
      return recordRejections(session, rejected);
    };
    const isExpected = hadRejections || invalid.length > 0;
    const applied =
      accepted.length === 0
        ? await inTransaction(pool, writeInvalid).then(() => [])
        : await apply(
            pool,
            accepted.map(({ event }) => event),
            { isExpected, writeInvalid, write },
          );
    const inOrder = applied.values();
    const outcomes = items.map(
      (item): EventOutcome =>
        isAccepted(item) ? (inOrder.next().value ?? 'applied') : { rejected: item.problems },
    );
    hadRejections = outcomes.some(isRejection);
    return outcomes;
  };
}
