const LEAST_BYTES = 4_096;

/**
 * A buffer that grows by appending copies. Node.js needs some 400 bytes per chunk, so a body of 16,000 one-byte chunks
 * would take 6 MB.
 */
export class GrowingBuffer {
  readonly #maxCapacity: number;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** @param maxCapacity in bytes; append no more than this */
  constructor(maxCapacity: number) {
    this.#maxCapacity = maxCapacity;
  }

  /** Returns the growth of its memory in bytes. */
  append(piece: Buffer): number {
    const length = this.#length + piece.length;
    const before = this.#bytes.length;
    if (length > before) {
      const capacity = Math.max(length, Math.min(this.#maxCapacity, Math.max(2 * before, LEAST_BYTES)));
      // Not from Node's shared pool: a slice would retain the whole pool.
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
    return this.#bytes.length - before;
  }

  /** All bytes so far, without a copy. */
  content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Frees the memory. */
  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
