import { GramSieve, type Reading } from "./gram-sieve.ts";
import { FOLDED } from "./signs.ts";

/** Shorter runs of digits are told apart well enough by the sieve for everything. */
const LONG_DIGITS = /^\d{28,}$/;

/** The stretches to look for. Codes and bits have a sieve of their own: short pieces of them are in any list of numbers. */
export class GramFilter {
  readonly #sieves: GramSieve[];
  #folded = new Uint8Array(0);

  constructor(grams: readonly string[]) {
    const digits = grams.filter((gram) => LONG_DIGITS.test(gram));
    const others = grams.filter((gram) => !LONG_DIGITS.test(gram));
    this.#sieves = [others, digits].filter((set) => set.length > 0).map((set) => new GramSieve(set));
  }

  hasFolded(reading: Reading): boolean {
    return this.#sieves.some((sieve) => sieve.find(reading));
  }

  /** Every `stride`th sign from `offset`, folded by `table`. */
  has(signs: Uint8Array, { table = FOLDED, stride = 1, offset = 0, length = signs.length } = {}): boolean {
    if (this.#folded.length < length) this.#folded = new Uint8Array(length);
    const folded = this.#folded;
    let count = 0;
    for (let at = offset; at < length; at += stride) {
      const sign = table[signs[at] as number] as number;
      folded[count] = sign;
      if (sign !== 0) count += 1;
    }
    return this.hasFolded({ folded, length: count });
  }
}
