const SLICE_MS = 10;
const SHORT_SLICE_MS = 0.3;
/** A turn of the event loop has up to three slices. */
const SHORT_SLICES = 6;

/**
 * How long work of one kind may keep the event loop before others get a turn. The event loop takes one new connection a
 * turn, so turns are short while there are new ones: a probe would else wait behind all who came before it.
 */
export class Slices {
  #shortOnes = 0;

  /** To be called with every new connection. */
  accept(): void {
    this.#shortOnes = SHORT_SLICES;
  }

  /** When a slice that begins now ends, in the time of performance.now(). */
  nextEndMs(): number {
    const isShort = this.#shortOnes > 0;
    if (isShort) this.#shortOnes -= 1;
    return performance.now() + (isShort ? SHORT_SLICE_MS : SLICE_MS);
  }
}
