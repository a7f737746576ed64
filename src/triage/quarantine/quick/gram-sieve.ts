/** Small enough for the processor's second memory. */
const FILTER_BITS = 20;
const SIGN_BITS = 5;
/** Letters of the beginning of a piece, each a byte of an integer. */
const HEAD = 4;
/** Set in every folded letter and digit. */
const LETTER_BIT = 0x20;

/** Every `stride`th of some folded letters, from `offset` on; 0 is left out. */
export interface Reading {
  letters: Uint8Array;
  stride: number;
  offset: number;
}

/**
 * Whether one of thousands of stretches is in a reading. Looks at every `step`th place only: wherever a stretch stands, one
 * of them lies in it, with the `piece` letters that follow in the stretch. A bit field knows the first four letters of every piece, another
 * one its hash. Only where both and a set know the piece, the letters around it are compared.
 */
export class GramSieve {
  readonly #grams: ReadonlySet<string>;
  readonly #lengths: readonly number[];
  readonly #heads = new Uint8Array(2 ** FILTER_BITS / 8);
  readonly #filter = new Uint8Array(2 ** FILTER_BITS / 8);
  /** The hashes of the pieces. */
  readonly #pieces = new Set<number>();
  /** Letters of a piece. */
  readonly #piece: number;
  readonly #step: number;

  constructor(grams: readonly string[]) {
    this.#grams = new Set(grams);
    this.#lengths = [...new Set(grams.map(({ length }) => length))];
    const shortest = Math.min(...this.#lengths);
    this.#piece = shortest >= 28 ? 10 : shortest >= 14 ? 6 : Math.max(1, Math.min(5, shortest - 3));
    this.#step = shortest - this.#piece + 1;
    for (const gram of grams) {
      const letters = Buffer.from(gram, "latin1");
      for (let at = 0; at < this.#step; at += 1) {
        let hash = 0;
        for (let sign = at; sign < at + this.#piece; sign += 1) hash = mixed(hash, letters[sign] as number);
        this.#pieces.add(hash);
        put(this.#filter, hash);
        if (this.#piece >= HEAD) put(this.#heads, letters.readInt32LE(at));
      }
    }
  }

  isIn(reading: Reading): boolean {
    const { letters, stride, offset } = reading;
    const [heads, stepped] = [this.#heads, this.#step * stride];
    // At later places fewer than four letters are left. Pieces of fewer letters have no head, so the second loop compares each place.
    const end = this.#piece < HEAD ? 0 : letters.length - (HEAD - 1) * stride;
    let place = offset;
    for (; place < end; place += stepped) {
      const first = letters[place] as number;
      const second = letters[place + stride] as number;
      const third = letters[place + 2 * stride] as number;
      const fourth = letters[place + 3 * stride] as number;
      if ((first & second & third & fourth & LETTER_BIT) !== 0) {
        const slot = slotOf(first | (second << 8) | (third << 16) | (fourth << 24));
        if (((heads[slot >>> 3] as number) & (1 << (slot & 7))) === 0) continue;
      }
      if (this.#isAt(place, reading)) return true;
    }
    for (; place < letters.length; place += stepped) if (this.#isAt(place, reading)) return true;
    return false;
  }

  /** Whether the letters from the place on are a piece of a stretch, with the rest of the stretch around them. */
  #isAt(place: number, reading: Reading): boolean {
    const { letters, stride } = reading;
    let [hash, count] = [0, 0];
    for (let at = place; at < letters.length && count < this.#piece; at += stride) {
      const letter = letters[at] as number;
      if (letter === 0) continue;
      hash = mixed(hash, letter);
      count += 1;
    }
    if (count < this.#piece) return false;
    const slot = slotOf(hash);
    if (((this.#filter[slot >>> 3] as number) & (1 << (slot & 7))) === 0) return false;
    return this.#pieces.has(hash) && this.#isAround(place, reading);
  }

  /** Whether a whole stretch begins with the letter at the place, or less than a step of letters before it. */
  #isAround(place: number, { letters, stride, offset }: Reading): boolean {
    const letterAt = (at: number): string => {
      const letter = letters[at] as number;
      return letter === 0 ? "" : String.fromCharCode(letter);
    };
    let text = "";
    for (let at = place - stride; at >= offset && text.length < this.#step - 1; at -= stride)
      text = letterAt(at) + text;
    const before = text.length;
    const longest = Math.max(...this.#lengths);
    for (let at = place; at < letters.length && text.length < before + longest; at += stride)
      text += letterAt(at);
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

function put(field: Uint8Array, hash: number): void {
  const slot = slotOf(hash);
  field[slot >>> 3] = (field[slot >>> 3] as number) | (1 << (slot & 7));
}
