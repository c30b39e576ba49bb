const SLICE_MS = 10;
const SHORT_SLICE_MS = 1;
/** So long after a connection there may be more to come. */
const ACCEPTING_MS = 50;

/**
 * How long work of one kind may keep the event loop before others get a turn. The event loop takes one new connection a
 * turn, so turns are short while there are new ones: a probe would else wait behind all who came before it.
 */
export class Slices {
  #acceptedAtMs = Number.NEGATIVE_INFINITY;

  /** To be called with every new connection. */
  accept(): void {
    this.#acceptedAtMs = performance.now();
  }

  /** When a slice that begins now ends, in the time of performance.now(). */
  nextEndMs(): number {
    const nowMs = performance.now();
    return nowMs + (nowMs - this.#acceptedAtMs < ACCEPTING_MS ? SHORT_SLICE_MS : SLICE_MS);
  }
}
