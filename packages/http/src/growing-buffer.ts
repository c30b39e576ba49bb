const LEAST_BYTES = 4_096;

/**
 * Bytes one behind the other, copied as they come. Kept as they come, each piece would cost some 400 bytes beside its own:
 * 16,000 pieces of a byte 6 MB.
 */
export class GrowingBuffer {
  readonly #maxCapacity: number;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** @param maxCapacity more will not come, in bytes */
  constructor(maxCapacity: number) {
    this.#maxCapacity = maxCapacity;
  }

  /** Gives by how many bytes the memory has grown. */
  append(piece: Buffer): number {
    const length = this.#length + piece.length;
    const before = this.#bytes.length;
    if (length > before) {
      const capacity = Math.max(length, Math.min(this.#maxCapacity, Math.max(2 * before, LEAST_BYTES)));
      // Of its own: a part of Node's pool would keep the whole pool.
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
