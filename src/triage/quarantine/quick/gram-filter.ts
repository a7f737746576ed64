import { GramSieve } from "./gram-sieve.ts";
import { FOLDED } from "./signs.ts";

const LONG = 14;
const LONG_DIGITS = /^\d{28,}$/;

/** Which signs of a text to read, and as what; default: all of them, folded. */
export interface Selection {
  table?: Uint8Array;
  stride?: number;
  offset?: number;
  length?: number;
}

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

  isIn(
    signs: Uint8Array,
    { table = FOLDED, stride = 1, offset = 0, length = signs.length }: Selection = {},
  ): boolean {
    const reading = { signs, length, table, stride, offset };
    return this.#sieves.some((sieve) => sieve.isIn(reading));
  }
}
