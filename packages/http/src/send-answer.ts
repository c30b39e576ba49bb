import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type ApiAnswer, bodyOf, type WholeAnswer } from './answer.js';
import type { HttpContext } from './http-request.js';
import { isPieces, streamOf } from './pieces.js';

/**
 * Gives an answer to Koa. The body is made first: where making it throws, nothing of the answer is set yet.
 * A success is personal by its token and may be kept if it is asked for again each time (ETag), unless the answer or what
 * all answers are given says otherwise; an error is not kept.
 * @param onTaken told whenever the client has taken a part of an answer that is made as it is taken
 */
export function sendAnswer(ctx: HttpContext, answer: ApiAnswer, onTaken: () => void = () => undefined): void {
  const { status, headers, body } = answer;
  const made = isPieces(body) ? streamOf(body, onTaken) : madeOf({ ...answer, body });
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

function madeOf(answer: WholeAnswer): Buffer | Readable {
  const { body, isStreamed } = answer;
  return isStreamed && !Buffer.isBuffer(body) ? streamText(body) : bodyOf(answer);
}

/** Of pieces that are made already; those to come hold nothing yet. */
function sizeOfPieces(pieces: ApiAnswer['body']): number {
  return Array.isArray(pieces) ? pieces.reduce((sum: number, piece: string) => sum + piece.length, 0) : 0;
}

/** How long one stream may keep the event loop to itself. */
const TURN_MS = 10;

/**
 * A stream of the pieces, each made only when the client has taken those before it. The first is made at once, so
 * that a failure up to there is thrown here, where there can still be another answer.
 */
function streamText(pieces: Iterable<string>): Readable {
  const iterator = pieces[Symbol.iterator]();
  const first = iterator.next();
  return Readable.from(inTurns(first, iterator), { objectMode: false, highWaterMark: 16_384 });
}

/** A fast client could otherwise be served from promise to promise, with nobody else getting a turn in between. */
async function* inTurns(first: IteratorResult<string>, iterator: Iterator<string>): AsyncGenerator<string> {
  let turnEndsAt = performance.now() + TURN_MS;
  try {
    for (let piece = first; piece.done !== true; piece = iterator.next()) {
      yield piece.value;
      if (performance.now() < turnEndsAt) continue;
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
  } finally {
    iterator.return?.();
  }
}
