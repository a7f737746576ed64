import { membersOf } from "./byte-sets";

/** Returns where the run of the set's characters at the start of the text ends; `end` at most. */
export function runEnd(text: usize, end: usize, set: u32): usize {
  for (let at = text; at < end; at += 16) {
    const others = ~membersOf(v128.load(at), set) & 0xffff;
    if (others != 0) return min(at + ctz(others), end);
  }
  return end;
}

/** The end of the run that `nextRun` found. */
export let foundEnd: usize = 0;

/** The number of characters that are examined at once, and the longest run that is recognised in them. */
const EXAMINED: usize = 64;
const RECOGNISED: usize = 32;

/**
 * Returns the beginning of the next run of at least `least` characters of the set; 0: none. `from` is the end of the previous
 * run, or the beginning of the text.
 */
export function nextRun(from: usize, end: usize, set: u32, least: usize): usize {
  const length = min(least, RECOGNISED);
  for (let at = from; at + least <= end;) {
    // A bit for each position where a run of `length` characters begins.
    let begins = membersFrom(at, end, set);
    for (let known: usize = 1; known < length;) {
      const more = min(known, length - known);
      begins &= begins >>> more;
      known += more;
    }
    if (begins == 0) {
      at += EXAMINED - length + 1;
      continue;
    }
    const begin = at + <usize>ctz(begins);
    const stop = runEnd(begin + length, end, set);
    if (stop - begin >= least) {
      foundEnd = stop;
      return begin;
    }
    at = stop;
  }
  return 0;
}

/** Returns a bit for each of the next characters, at most 64, set if the character is in the set. */
function membersFrom(text: usize, end: usize, set: u32): u64 {
  let members: u64 = membersOf(v128.load(text), set);
  if (text + 16 < end) members |= (<u64>membersOf(v128.load(text + 16), set)) << 16;
  if (text + 32 < end) {
    members |= (<u64>membersOf(v128.load(text + 32), set)) << 32;
    members |= (<u64>membersOf(v128.load(text + 48), set)) << 48;
  }
  return end - text >= EXAMINED ? members : members & (((<u64>1) << (end - text)) - 1);
}
