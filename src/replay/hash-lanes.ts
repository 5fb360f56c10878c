/**
 * A running hash of texts and numbers: two lanes of 32 bits, of which 53 come out, so that a hash is one number.
 *
 * It tells changes apart, and keeps no secret: whoever knows what may have been hashed can find it out.
 */
export class HashLanes {
  #low = 0x811c9dc5;
  #high = 0x27d4eb2f;

  /** Takes a text with its length, so that `ab`, `c` is not `a`, `bc`. */
  text(text: string): this {
    this.#mix(text.length);
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(((high << 7) | (high >>> 25)) ^ unit, 0x85ebca6b);
    }
    this.#low = low;
    this.#high = high;
    return this;
  }

  /** Takes a hash. */
  hash(hash: number): this {
    this.#mix(hash >>> 0);
    this.#mix(Math.floor(hash / 2 ** 32));
    return this;
  }

  /** The hash of all that was taken: a whole number above 0. */
  end(): number {
    const low = spread(this.#low ^ this.#high);
    const high = spread(this.#high + Math.imul(low, 0x9e3779b1));
    return (high & 0x1fffff) * 2 ** 32 + (low >>> 0) || 1;
  }

  #mix(word: number): void {
    this.#low = Math.imul(spread(this.#low ^ word), 0x01000193);
    this.#high = Math.imul(((this.#high << 13) | (this.#high >>> 19)) ^ word, 0x85ebca6b);
  }
}

/** The hash of one text. */
export function hashOfText(text: string): number {
  return new HashLanes().text(text).end();
}

/** Lets each bit of a word change all others. */
function spread(word: number): number {
  const once = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d);
  const twice = Math.imul(once ^ (once >>> 12), 0x297a2d39);
  return twice ^ (twice >>> 15);
}
