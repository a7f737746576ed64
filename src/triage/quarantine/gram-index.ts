import type { CanaryForm, CanaryGram } from "./canary-forms.ts";

export interface NamedGram extends CanaryGram {
  /** The name of the variable whose value the piece belongs to. */
  name: string;
}

const FILTER_BITS = 20;
const FACTOR = 0x01000193;

/**
 * Finds any of thousands of pieces in a folded text, in one pass for each length: a rolling hash (Rabin and Karp) selects a bit
 * in a bit field, and the characters are compared only where the bit is set.
 */
export class GramIndex {
  readonly #byLength = new Map<number, { filter: Uint8Array; grams: Map<string, NamedGram> }>();

  get isEmpty(): boolean {
    return this.#byLength.size === 0;
  }

  add(grams: readonly NamedGram[]): void {
    for (const gram of grams) {
      const { length } = gram.text;
      const entry = this.#byLength.get(length) ?? {
        filter: new Uint8Array(2 ** FILTER_BITS / 8),
        grams: new Map<string, NamedGram>(),
      };
      this.#byLength.set(length, entry);
      entry.grams.set(gram.text, entry.grams.get(gram.text) ?? gram);
      const slot = slotOf(hashOf(gram.text, 0, length));
      entry.filter[slot >>> 3] = (entry.filter[slot >>> 3] ?? 0) | (1 << (slot & 7));
    }
  }

  /** `long`: ignores the short pieces of longer secrets. */
  find(folded: string, which: "all" | "long"): { name: string; form: CanaryForm } | null {
    for (const [length, { filter, grams }] of this.#byLength) {
      if (folded.length < length) continue;
      const leaving = power(length - 1);
      let hash = hashOf(folded, 0, length);
      for (let at = 0; ; at += 1) {
        const slot = slotOf(hash);
        if (((filter[slot >>> 3] ?? 0) & (1 << (slot & 7))) !== 0) {
          const gram = grams.get(folded.slice(at, at + length));
          if (gram !== undefined && (which === "all" || !gram.isShort))
            return { name: gram.name, form: gram.form };
        }
        if (at + length >= folded.length) break;
        const without = (hash - Math.imul(folded.charCodeAt(at), leaving)) | 0;
        hash = (Math.imul(without, FACTOR) + folded.charCodeAt(at + length)) | 0;
      }
    }
    return null;
  }
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at += 1) hash = (Math.imul(hash, FACTOR) + text.charCodeAt(at)) | 0;
  return hash;
}

function power(exponent: number): number {
  let value = 1;
  for (let step = 0; step < exponent; step += 1) value = Math.imul(value, FACTOR);
  return value;
}

function slotOf(hash: number): number {
  return (Math.imul(hash, 0x9e3779b1) >>> 0) >>> (32 - FILTER_BITS);
}
