import { ServiceError } from '@takt/catalogue/errors';
import {
  type AnswerError,
  type ApiAnswer,
  type ApiRequest,
  bodyOf,
  isPieces,
  type Route,
  type WholeAnswer,
} from '@takt/http';
import { type ConcurrencyLimiter, withDeadline } from '@takt/run';
import { type Asker, ownersOf } from '../respond/find-page.js';

/** An address of a batch. It has either a route that answers the request, or an error if the address is wrong. */
export type BatchedRequest =
  | { readonly request: ApiRequest; readonly route: Route }
  | { readonly request: ApiRequest; readonly error: unknown };

interface BatchedAnswer<One extends BatchedRequest> {
  readonly batched: One;
  readonly answer: WholeAnswer;
}

export interface AnsweringOptions {
  /** Limits the addresses that are answered at the same time. All batches share this limiter. */
  readonly addresses: ConcurrencyLimiter;
  readonly asker: Asker;
  readonly answerError: AnswerError;
  /** The deadline of the whole batch, in the time of performance.now(). */
  readonly endsAtMs: number;
  /** The maximum size in bytes of all bodies of the batch together. */
  readonly maxBytes: number;
}

/** The number of addresses of one batch that are answered at the same time. */
const SIDE_BY_SIDE = 4;

/**
 * Answers all addresses of a batch, and returns the answers in the order of the addresses. An address keeps its place
 * among the running ones until its answer is complete, even if the deadline has passed. At the deadline, each
 * unfinished address gets the same error as a single request that takes too long. Throws batchTooLarge.
 */
export async function answerAll<One extends BatchedRequest>(
  requests: readonly One[],
  options: AnsweringOptions,
): Promise<readonly BatchedAnswer<One>[]> {
  const { maxBytes } = options;
  const answers: BatchedAnswer<One>[] = [];
  const waiting = requests.entries();
  let bytes = 0;
  const work = async () => {
    for (const [index, one] of waiting) {
      if (bytes > maxBytes) return;
      const answer = await answerOne(one, options);
      answers[index] = { batched: one, answer };
      bytes += bodyOf(answer).length;
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  if (bytes > maxBytes) throw new ServiceError('batchTooLarge', { limit: String(maxBytes) });
  return answers;
}

async function answerOne(
  batched: BatchedRequest,
  { addresses, asker, answerError, endsAtMs }: AnsweringOptions,
): Promise<WholeAnswer> {
  const { request } = batched;
  const fail = (code: 'requestBudgetSpent' | 'databaseUnavailable' | 'internalError') =>
    answerError(new ServiceError(code), request);
  if ('error' in batched) return answerError(batched.error, request);
  const leave = await addresses.enter({ owners: ownersOf(asker), untilMs: endsAtMs });
  if (typeof leave !== 'function') return fail('requestBudgetSpent');
  const answer = batched.route.answer(request).finally(leave);
  const leftMs = Math.max(0, endsAtMs - performance.now());
  const { body, ...rest } = await withDeadline<ApiAnswer>(answer, leftMs, () => fail('databaseUnavailable'));
  // No format of a batch is made in pieces, so an answer in pieces is a mistake of this program.
  return isPieces(body) ? fail('internalError') : { ...rest, body };
}
