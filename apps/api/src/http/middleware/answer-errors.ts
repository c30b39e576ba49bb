import { ServiceError } from '@takt/error-catalogue';
import type { AnswerThrown } from '../error-answer.js';
import type { Headers } from '../fixed-headers.js';
import type { HttpMiddleware } from '../http-context.js';
import { sendAnswer } from '../send-answer.js';

/** After these the connection ends, as their texts say. */
const LAST_ON_CONNECTION: readonly string[] = ['malformedRequest', 'shuttingDown'];

/** Turns whatever was thrown into the answer of a catalogue entry. Of the answer that had been begun nothing stays. */
export function answerErrors(answerThrown: AnswerThrown, fixedHeaders: Headers): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { request } = ctx.state;
      const answer = answerThrown(thrown, request);
      for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
      ctx.set({ ...fixedHeaders, 'X-Request-Id': request.id });
      if (thrown instanceof ServiceError && LAST_ON_CONNECTION.includes(thrown.code)) {
        ctx.set('Connection', 'close');
      }
      sendAnswer(ctx, answer);
    }
  };
}
