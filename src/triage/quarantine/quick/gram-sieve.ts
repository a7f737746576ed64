/** Small enough for the processor's nearest memory. */
const FILTER_BITS = 19;
/** Of a letter or digit; a shift of 32 places is one of none. */
const SIGN_BITS = 5;

/** Where the sieve looks at a folded text: at `offset`, `offset + stride`, … below `length`. */
export interface Reading {
  folded: Uint8Array;
  length: number;
  stride?: number;
  offset?: number;
}

/**
 * Whether one of thousands of stretches is in a folded text. Looks at every `#step`th place only, for a piece of a stretch that must
 * lie across one of them, in a bit field; then at the characters.
 */
export class GramSieve {
  readonly #grams = new Set<string>();
  readonly #lengths: number[];
  readonly #filter = new Uint8Array(2 ** FILTER_BITS / 8);
  /** Of the pieces, their hashes. */
  readonly #pieces = new Set<number>();
  /** Characters of a piece. */
  readonly #piece: number;
  readonly #step: number;

  constructor(grams: readonly string[]) {
    this.#lengths = [...new Set(grams.map(({ length }) => length))];
    const shortest = Math.min(...this.#lengths);
    this.#piece = shortest >= 28 ? 16 : Math.max(1, Math.min(6, shortest - 2));
    this.#step = shortest - this.#piece + 1;
    for (const gram of grams) {
      this.#grams.add(gram);
      for (let at = 0; at < this.#step; at += 1) this.#note(gram, at);
    }
  }

  find({ folded, length, stride = 1, offset = 0 }: Reading): boolean {
    if (this.#grams.size === 0) return false;
    const filter = this.#filter;
    const [ahead, stepped] = [this.#piece * stride, this.#step * stride];
    for (let at = offset; at + ahead - stride < length; at += stepped) {
      let hash = 0;
      let shift = 0;
      for (let sign = at; sign < at + ahead; sign += stride) {
        hash ^= (folded[sign] as number) << shift;
        shift += SIGN_BITS;
      }
      const first = slotOf(hash);
      if (((filter[first >>> 3] as number) & (1 << (first & 7))) === 0) continue;
      if (!this.#pieces.has(hash)) continue;
      if (this.#isAround(at, { folded, length, stride, offset })) return true;
    }
    return false;
  }

  #note(gram: string, from: number): void {
    let hash = 0;
    let shift = 0;
    for (let at = from; at < from + this.#piece; at += 1) {
      hash ^= gram.charCodeAt(at) << shift;
      shift += SIGN_BITS;
    }
    const slot = slotOf(hash);
    this.#filter[slot >>> 3] = (this.#filter[slot >>> 3] as number) | (1 << (slot & 7));
    this.#pieces.add(hash);
  }

  /** Whether a whole stretch begins at the place or less than a step before it. */
  #isAround(place: number, { folded, length, stride, offset }: Required<Reading>): boolean {
    const begin = Math.max(offset, place - (this.#step - 1) * stride);
    for (let from = begin; from <= place; from += stride) {
      for (const count of this.#lengths) {
        if (from + (count - 1) * stride >= length) continue;
        let text = "";
        for (let sign = 0; sign < count; sign += 1)
          text += String.fromCharCode(folded[from + sign * stride] as number);
        if (this.#grams.has(text)) return true;
      }
    }
    return false;
  }
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS);
}
