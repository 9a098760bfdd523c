/**
 * The credit window: the server sends only so much that the page has not acknowledged. `ack` carries the sum
 * of all bytes handled on this socket, every `ack_bytes` or every second, whichever comes first.
 */
export class Credit {
  #every = 1;
  #handled = 0;
  #told = 0;

  /** @param {number} everyBytes */
  constructor(everyBytes) {
    this.every = everyBytes;
  }

  /** How many bytes come together before they are acknowledged. */
  get every() {
    return this.#every;
  }

  set every(bytes) {
    if (!(bytes > 0)) throw new RangeError(`${bytes} is no number of bytes.`);
    this.#every = bytes;
  }

  /**
   * Counts a frame; returns the sum to acknowledge when enough has come together, else null.
   * @param {number} bytes
   */
  handled(bytes) {
    this.#handled += bytes;
    return this.#handled - this.#told >= this.#every ? this.due() : null;
  }

  /** Returns the sum to acknowledge now, or null when the server knows it already. */
  due() {
    if (this.#handled === this.#told) return null;
    this.#told = this.#handled;
    return this.#told;
  }
}
