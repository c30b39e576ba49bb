import { type ApiAnswer, bodyOf } from './answer.js';
import type { HttpContext } from './http-context.js';
import { streamPieces } from './stream-pieces.js';

/**
 * Gives an answer to Koa. The body is made first: where making it throws, nothing of the answer is set yet.
 * A success is personal by its token and may be kept if it is asked for again each time (ETag); an error is not kept.
 */
export function sendAnswer(ctx: HttpContext, answer: ApiAnswer): void {
  const { status, headers, body, isStreamed } = answer;
  const made = isStreamed && !Buffer.isBuffer(body) ? streamPieces(body) : bodyOf(answer);
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') ctx.vary(value);
    else ctx.set(name, value);
  }
  ctx.set('Cache-Control', status === 200 ? 'private, no-cache' : 'no-store');
  ctx.status = status;
  ctx.body = made;
  if (Buffer.isBuffer(made)) return;
  // Where the stream is compressed, nobody else would hear of it: pipe() does not pass errors on.
  made.once('error', (error) => ctx.onerror(error));
}
