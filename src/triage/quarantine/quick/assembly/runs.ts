import { isOf, membersOf } from "./signs";

/** Returns where the run of the set's characters at the start of the text ends; `end` at most. */
export function runEnd(text: usize, end: usize, set: u32): usize {
  for (let at = text; at < end; at += 16) {
    const others = ~membersOf(v128.load(at), set) & 0xffff;
    if (others != 0) return min(at + ctz(others), end);
  }
  return end;
}

/** Returns the beginning of the run that ends before `text`; `begin` at least. */
export function runBegin(text: usize, begin: usize, set: u32): usize {
  for (let at = text; at > begin; at -= 16) {
    const others = ~membersOf(v128.load(at - 16), set) & 0xffff;
    if (others != 0) return max(at - <usize>(clz(others) - 16), begin);
  }
  return begin;
}

/** The end of the run that `nextRun` found. */
export let foundEnd: usize = 0;

/**
 * Returns the beginning of the next run of at least `least` characters of the set; 0: none. `from` is the end of the previous
 * run, or the beginning of the text. Only every `least`th position is examined.
 */
export function nextRun(from: usize, end: usize, set: u32, least: usize): usize {
  for (let at = from + least - 1; at < end; at += least) {
    if (!isOf(at, set)) continue;
    const begin = runBegin(at, from, set);
    const stop = runEnd(at, end, set);
    if (stop - begin >= least) {
      foundEnd = stop;
      return begin;
    }
    at = stop;
  }
  return 0;
}
