/** Small enough for the processor's second memory. */
const FILTER_BITS = 20;
const SIGN_BITS = 5;
const NINE = 0x39;

/** Signs of a text, every `stride`th from `offset` below `length`, each as its value in `table`; 0 is left out. */
export interface Reading {
  signs: Uint8Array;
  length: number;
  table: Uint8Array;
  stride: number;
  offset: number;
}

/**
 * Whether one of thousands of stretches is in a reading. Looks at every `step`th place only: wherever a stretch stands, one
 * of them lies in it, with the `piece` letters that follow in the stretch. Only where a bit field and a set know the hash of such a piece, the
 * letters around it are compared.
 */
export class GramSieve {
  readonly #grams: ReadonlySet<string>;
  readonly #lengths: readonly number[];
  readonly #filter = new Uint8Array(2 ** FILTER_BITS / 8);
  /** The hashes of the pieces. */
  readonly #pieces = new Set<number>();
  /** Letters of a piece. */
  readonly #piece: number;
  readonly #step: number;
  readonly #isOfDigits: boolean;

  constructor(grams: readonly string[]) {
    this.#grams = new Set(grams);
    this.#lengths = [...new Set(grams.map(({ length }) => length))];
    const shortest = Math.min(...this.#lengths);
    this.#isOfDigits = grams.every((gram) => /^\d+$/.test(gram));
    this.#piece = shortest >= 28 ? 10 : shortest >= 14 ? 6 : Math.max(1, Math.min(5, shortest - 3));
    this.#step = shortest - this.#piece + 1;
    for (const gram of grams) {
      for (let at = 0; at < this.#step; at += 1) {
        let hash = 0;
        for (let sign = at; sign < at + this.#piece; sign += 1) hash = mixed(hash, gram.charCodeAt(sign));
        const slot = slotOf(hash);
        this.#filter[slot >>> 3] = (this.#filter[slot >>> 3] as number) | (1 << (slot & 7));
        this.#pieces.add(hash);
      }
    }
  }

  isIn(reading: Reading): boolean {
    const { signs, length, table, stride, offset } = reading;
    const [filter, piece, stepped] = [this.#filter, this.#piece, this.#step * stride];
    const last = this.#isOfDigits ? NINE : 0xff;
    places: for (let place = offset; place < length; place += stepped) {
      let [hash, letters] = [0, 0];
      for (let at = place; at < length; at += stride) {
        const letter = table[signs[at] as number] as number;
        if (letter === 0) continue;
        if (letter > last) continue places;
        hash = mixed(hash, letter);
        letters += 1;
        if (letters === piece) break;
      }
      // The end of the reading: no piece follows.
      if (letters < piece) return false;
      const slot = slotOf(hash);
      if (((filter[slot >>> 3] as number) & (1 << (slot & 7))) === 0) continue;
      if (this.#pieces.has(hash) && this.#isAround(place, reading)) return true;
    }
    return false;
  }

  /** Whether a whole stretch begins with the letter at the place, or less than a step of letters before it. */
  #isAround(place: number, { signs, length, table, stride, offset }: Reading): boolean {
    const letterAt = (at: number): string => {
      const letter = table[signs[at] as number] as number;
      return letter === 0 ? "" : String.fromCharCode(letter);
    };
    let text = "";
    for (let at = place - stride; at >= offset && text.length < this.#step - 1; at -= stride)
      text = letterAt(at) + text;
    const before = text.length;
    const longest = Math.max(...this.#lengths);
    for (let at = place; at < length && text.length < before + longest; at += stride) text += letterAt(at);
    for (let from = 0; from <= before; from += 1)
      if (this.#lengths.some((count) => this.#grams.has(text.slice(from, from + count)))) return true;
    return false;
  }
}

function mixed(hash: number, letter: number): number {
  return ((hash << SIGN_BITS) | (hash >>> (32 - SIGN_BITS))) ^ letter;
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS);
}
