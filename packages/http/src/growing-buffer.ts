const LEAST_BYTES = 4_096;

/**
 * A buffer that grows with what is appended. It copies each piece: Node.js keeps some 400 bytes for a piece, so a body of
 * 16,000 chunks of one byte would take 6 MB.
 */
export class GrowingBuffer {
  readonly #maxCapacity: number;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** @param maxCapacity in bytes; more will not be appended */
  constructor(maxCapacity: number) {
    this.#maxCapacity = maxCapacity;
  }

  /** Gives by how many bytes the memory has grown. */
  append(piece: Buffer): number {
    const length = this.#length + piece.length;
    const before = this.#bytes.length;
    if (length > before) {
      const capacity = Math.max(length, Math.min(this.#maxCapacity, Math.max(2 * before, LEAST_BYTES)));
      // Not a slice of Node's shared pool, which would keep the whole pool in memory.
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
    return this.#bytes.length - before;
  }

  /** All bytes so far, not copied. */
  content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Lets go of the memory. */
  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
