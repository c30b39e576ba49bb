import { type ApiAnswer, bodyOf } from './answer.js';
import type { HttpContext } from './http-request.js';
import { isPieces, piecesOf, streamOf } from './pieces.js';

/**
 * Gives an answer to Koa. The body is made first: where making it throws, nothing of the answer is set yet.
 * A success is personal by its token and may be kept if it is asked for again each time (ETag), unless the answer or what
 * all answers are given says otherwise; an error is not kept.
 * @param onTaken told whenever the client has taken a part of an answer that is made as it is taken
 */
export function sendAnswer(ctx: HttpContext, answer: ApiAnswer, onTaken: () => void = () => undefined): void {
  const { status, headers, body } = answer;
  const isStreamed = answer.isStreamed && !Buffer.isBuffer(body) && !isPieces(body);
  const pieces = isStreamed ? piecesOf(body) : body;
  const made = isPieces(pieces) ? streamOf(pieces, onTaken) : bodyOf({ ...answer, body: pieces });
  if (!ctx.res.hasHeader('Cache-Control')) {
    ctx.set('Cache-Control', status === 200 ? 'private, no-cache' : 'no-store');
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') {
      ctx.vary(value);
    } else {
      ctx.set(name, value);
    }
  }
  ctx.status = status;
  ctx.body = made;
  if (Buffer.isBuffer(made)) return;
  ctx.state.sourceBytes = sizeOfPieces(body);
  // Where the stream is compressed, nobody else would hear of it: pipe() does not pass errors on.
  made.once('error', (error) => ctx.onerror(error));
}

/** Of pieces that are made already; those to come hold nothing yet. */
function sizeOfPieces(pieces: ApiAnswer['body']): number {
  return Array.isArray(pieces) ? pieces.reduce((sum: number, piece: string) => sum + piece.length, 0) : 0;
}
