import { ServiceError } from '@takt/error-catalogue';
import {
  type AnswerFailure,
  type ApiAnswer,
  type ApiRequest,
  bodyOf,
  isPieces,
  type Route,
  type WholeAnswer,
} from '@takt/http';
import { withDeadline } from '@takt/runtime';
import type { Leave, Places } from './places.js';

/** What is asked of an address: its route with the request for it, or why there is none. */
export type Asked =
  | { readonly request: ApiRequest; readonly route: Route }
  | { readonly request: ApiRequest; readonly failure: unknown };

export interface Answered<One extends Asked> {
  readonly asked: One;
  readonly answer: WholeAnswer;
}

export interface AnsweringOptions {
  readonly places: Places;
  readonly answerFailure: AnswerFailure;
  /** From now on, for all of them together. */
  readonly deadlineMs: number;
  /** All bodies together. */
  readonly maxBytes: number;
}

/** Of one batch at a time; the places of all batches are no more. */
const SIDE_BY_SIDE = 4;

/**
 * The answers in the order of what is asked; each takes a place while it is made, also when nobody waits for it any more. What
 * the deadline meets unbegun or unfinished is answered as a request alone would be that met its own. Throws batchTooLarge.
 */
export async function answerAll<One extends Asked>(
  asked: readonly One[],
  options: AnsweringOptions,
): Promise<readonly Answered<One>[]> {
  const { deadlineMs, maxBytes } = options;
  const endsAtMs = performance.now() + deadlineMs;
  const answers: Answered<One>[] = [];
  const waiting = asked.entries();
  let bytes = 0;
  const work = async () => {
    for (const [index, one] of waiting) {
      if (bytes > maxBytes) return;
      const answer = await answerOne(one, endsAtMs, options);
      answers[index] = { asked: one, answer };
      bytes += bodyOf(answer).length;
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  if (bytes > maxBytes) throw new ServiceError('batchTooLarge', { limit: String(maxBytes) });
  return answers;
}

async function answerOne(
  asked: Asked,
  endsAtMs: number,
  { places, answerFailure }: AnsweringOptions,
): Promise<WholeAnswer> {
  const { request } = asked;
  const leftMs = () => Math.max(0, endsAtMs - performance.now());
  const fail = (code: 'requestBudgetSpent' | 'databaseUnavailable' | 'internalError') =>
    answerFailure(new ServiceError(code), request);
  if ('failure' in asked) return answerFailure(asked.failure, request);
  const place = places.take();
  const leave = await withDeadline<Leave | undefined>(place, leftMs(), () => undefined);
  if (leave === undefined) {
    void place.then((late) => late());
    return fail('requestBudgetSpent');
  }
  const answer = asked.route.answer(request).finally(leave);
  const { body, ...rest } = await withDeadline<ApiAnswer>(answer, leftMs(), () =>
    fail('databaseUnavailable'),
  );
  // No format of a batch is answered in pieces.
  return isPieces(body) ? fail('internalError') : { ...rest, body };
}
