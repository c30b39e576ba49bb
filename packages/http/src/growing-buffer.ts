const LEAST_BYTES = 4_096;

/**
 * A buffer that grows by appending copies of pieces. Keeping the chunks instead would cost more, because Node.js needs
 * some 400 bytes for each chunk: a body of 16,000 chunks of one byte would take 6 MB.
 */
export class GrowingBuffer {
  readonly #maxCapacity: number;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** @param maxCapacity maximum number of bytes; do not append more than this */
  constructor(maxCapacity: number) {
    this.#maxCapacity = maxCapacity;
  }

  /** Appends a piece, and returns by how many bytes the memory of the buffer grew. */
  append(piece: Buffer): number {
    const length = this.#length + piece.length;
    const before = this.#bytes.length;
    if (length > before) {
      const capacity = Math.max(length, Math.min(this.#maxCapacity, Math.max(2 * before, LEAST_BYTES)));
      // The memory does not come from Node's shared pool, because a slice would retain the whole pool.
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
    return this.#bytes.length - before;
  }

  /** Returns all bytes so far, without copying them. */
  content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Frees the memory of the buffer. */
  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
