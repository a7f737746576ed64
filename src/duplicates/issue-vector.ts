import type { IssueTerms } from "./issue-terms.ts";

/** One word of an indexed issue. Counts are capped at 65,535. */
export interface VectorEntry {
  term: number;
  title: number;
  body: number;
}

const MAX_COUNT = 0xffff;

/** Returns term ids and counts packed into eight bytes per word. `idOf` must return the id of every word of the issue. */
export function encodeVector(terms: IssueTerms, idOf: (word: string) => number): Uint8Array {
  const words = new Set([...terms.title.keys(), ...terms.body.keys()]);
  const packed = new Uint32Array(words.size * 2);
  let at = 0;
  for (const word of words) {
    packed[at] = idOf(word);
    packed[at + 1] = (capped(terms.title.get(word)) << 16) | capped(terms.body.get(word));
    at += 2;
  }
  return new Uint8Array(packed.buffer);
}

/** Returns the words of a packed vector as objects. Use it for single issues, not for the many candidates of a search. */
export function decodeVector(bytes: ArrayBuffer): VectorEntry[] {
  const packed = new Uint32Array(bytes);
  const entries: VectorEntry[] = [];
  forEachWord(packed, (term, title, body) => entries.push({ term, title, body }));
  return entries;
}

/** Calls `use` with the id and both counts of each word of a packed vector. */
export function forEachWord(
  packed: Uint32Array,
  use: (term: number, title: number, body: number) => void,
): void {
  for (let at = 0; at + 1 < packed.length; at += 2) {
    const counts = packed[at + 1] ?? 0;
    use(packed[at] ?? 0, counts >>> 16, counts & MAX_COUNT);
  }
}

function capped(count = 0): number {
  return Math.min(count, MAX_COUNT);
}
