import { GramSieve } from "./gram-sieve.ts";

const LONG = 14;
const LONG_DIGITS = /^\d{28,}$/;

/** The stretches to look for, with a sieve for the short ones, one for codes and bits, and one for the rest. */
export class GramFilter {
  readonly #sieves: readonly GramSieve[];
  /** Letters of the shortest stretch; infinite: there is none. */
  readonly shortest: number;

  constructor(grams: readonly string[]) {
    // Short pieces of codes and bits are in any list of numbers.
    const digits = grams.filter((gram) => LONG_DIGITS.test(gram));
    const short = grams.filter(({ length }) => length < LONG);
    const others = grams.filter((gram) => gram.length >= LONG && !LONG_DIGITS.test(gram));
    this.shortest = Math.min(...grams.map(({ length }) => length));
    this.#sieves = [others, short, digits].filter((set) => set.length > 0).map((set) => new GramSieve(set));
  }

  /** Whether one of the stretches is in the folded letters, of which 0 is left out, or in every `stride`th of them from `offset` on. */
  isIn(letters: Uint8Array, { stride = 1, offset = 0 } = {}): boolean {
    const reading = { letters, stride, offset };
    return this.#sieves.some((sieve) => sieve.isIn(reading));
  }
}
