import type { EventQueue } from '@takt/events';
import { withDeadline } from '@takt/runtime';

const ANSWER_DEADLINE_MS = 10_000;

/** Passes on what a queue answers; while its store is away BullMQ would wait for ever. */
export function askQueue<Answer>(queue: EventQueue, what: string, answer: Promise<Answer>): Promise<Answer> {
  return withDeadline(answer, ANSWER_DEADLINE_MS, () => {
    throw new Error(`${what} of the queue ${queue.name} took longer than ${ANSWER_DEADLINE_MS} ms`);
  });
}
