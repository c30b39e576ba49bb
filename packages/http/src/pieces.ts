import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

type Piece = string | Uint8Array;

/**
 * A body that is read from somewhere while its client takes it. The first piece is there, so that a failure up to it is
 * still an answer; a later one ends the connection. Whoever has one reads it to its end or ends it, for what it reads
 * from may be held until then.
 */
export interface Pieces {
  /** Text is UTF-8; no piece is empty. undefined: that was all. */
  next(): Promise<Piece | undefined>;
  /** Ends the work on it, also before its end; resolves when that is done, and never rejects. */
  end(): Promise<void>;
}

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

/** Pieces of text; the first that is not empty is made at once, and may throw. */
export function piecesOf(texts: Iterable<string>): Pieces {
  const iterator = texts[Symbol.iterator]();
  const make = (): string | undefined => {
    for (;;) {
      const { done, value } = iterator.next();
      if (done === true || value !== '') return done === true ? undefined : value;
    }
  };
  let first: string | undefined = make();
  return {
    next: async () => {
      const piece = first ?? make();
      first = undefined;
      return piece;
    },
    end: async () => {
      iterator.return?.();
    },
  };
}

export function isPieces(body: object): body is Pieces {
  return 'next' in body && 'end' in body;
}

/**
 * How long one stream may keep the event loop to itself: about a piece. A request of somebody else meets a handful of turns
 * on its way, and an export lasts a minute.
 */
const TURN_MS = 2;
/** What is made ahead of the client. */
const AHEAD_BYTES = 65_536;

/**
 * The pieces as a stream, each made when the client has taken those before it but for the last few; its end, also an
 * early one, ends them.
 * @param onTaken told before each piece but the first that the client has taken what came before
 */
export function streamOf(pieces: Pieces, onTaken: () => void): Readable {
  let turnEndsAt = performance.now() + TURN_MS;
  let isFirst = true;
  const next = async () => {
    if (!isFirst) onTaken();
    isFirst = false;
    // What is made from rows that are there already would else follow each other without anybody getting a turn.
    if (performance.now() > turnEndsAt) {
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
    return pieces.next();
  };
  return new Readable({
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
}
