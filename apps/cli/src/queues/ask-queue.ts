import { type EventQueue, withDeadline } from '@takt/events';

const ANSWER_DEADLINE_MS = 10_000;

/** Passes on what a queue answers; while its store is away BullMQ would wait for ever. */
export function askQueue<Answer>(queue: EventQueue, what: string, answer: Promise<Answer>): Promise<Answer> {
  return withDeadline(`${what} of the queue ${queue.name}`, ANSWER_DEADLINE_MS, answer);
}
