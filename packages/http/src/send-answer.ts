import { addAbortSignal, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type ApiAnswer, bodyOf, type Piece, type Pieces } from './answer.js';
import type { HttpContext } from './http-request.js';

/** Makes the first piece; rejects as that does. */
export async function beginPieces(source: AsyncGenerator<Piece, void, void>): Promise<Pieces> {
  let first: IteratorResult<Piece, void> | undefined = await source.next();
  return {
    next: async () => {
      const result = first ?? (await source.next());
      first = undefined;
      return result.done === true ? undefined : result.value;
    },
    end: () =>
      source.return().then(
        () => undefined,
        () => undefined,
      ),
  };
}

/** No piece is empty. */
async function* piecesOf(texts: Iterable<string>): AsyncGenerator<string, void, void> {
  for (const text of texts) if (text !== '') yield text;
}

export function isPieces(body: object): body is Pieces {
  return 'next' in body && 'end' in body;
}

/**
 * How long one stream may keep the event loop to itself: about a piece. A request of somebody else meets a handful of turns
 * on its way, and an export lasts a minute.
 */
const TURN_MS = 2;
/** Made ahead of the client. */
const AHEAD_BYTES = 65_536;

/**
 * The pieces as a stream, each made when the client has taken those before it but for the last few; its end, also an
 * early one, ends them.
 * @param onTaken told before each piece but the first that the client has taken what came before
 */
function streamOf(pieces: Pieces, onTaken: () => void): Readable {
  let turnEndsAt = performance.now() + TURN_MS;
  let isFirst = true;
  const next = async () => {
    if (!isFirst) onTaken();
    isFirst = false;
    // Pieces of rows that are there already would else follow each other without anybody getting a turn.
    if (performance.now() > turnEndsAt) {
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
    return pieces.next();
  };
  const stream = new Readable({
    highWaterMark: AHEAD_BYTES,
    read() {
      next().then(
        (piece) => this.push(piece ?? null),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      // Its work may still wait for the database: nobody waits for that.
      void pieces.end();
      callback(error);
    },
  });
  return pieces.signal === undefined ? stream : addAbortSignal(pieces.signal, stream);
}

/**
 * Gives an answer to Koa. The body is made first: where making it throws, nothing of the answer is set yet.
 * A success is personal by its token and may be kept if it is asked for again each time (ETag), unless the answer or what
 * all answers are given says otherwise; an error is not kept.
 * @param onTaken told whenever the client has taken a part of an answer that is made as it is taken
 */
export async function sendAnswer(
  ctx: HttpContext,
  answer: ApiAnswer,
  onTaken: () => void = () => undefined,
): Promise<void> {
  const { status, headers, body } = answer;
  const isStreamed = answer.isStreamed && !Buffer.isBuffer(body) && !isPieces(body);
  const pieces = isStreamed ? await beginPieces(piecesOf(body)) : body;
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

/** Counts pieces that are made already; those to come hold nothing yet. */
function sizeOfPieces(pieces: ApiAnswer['body']): number {
  return Array.isArray(pieces) ? pieces.reduce((sum: number, piece: string) => sum + piece.length, 0) : 0;
}
