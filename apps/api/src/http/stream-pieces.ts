import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** How long one stream may keep the event loop to itself. */
const TURN_MS = 10;

/**
 * A stream of the pieces, each made only when the client has taken those before it. The first is made at once, so
 * that a failure up to there is thrown here, where there can still be another answer.
 */
export function streamPieces(pieces: Iterable<string>): Readable {
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
