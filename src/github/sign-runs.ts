/** A run of consecutive characters of a set: `[start, end)`. */
type Run = readonly [start: number, end: number];

/** Returns a table that has 1 for each byte whose character is in the set, otherwise 0. */
export function signTable(set: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (set.test(String.fromCharCode(code)) ? 1 : 0));
}

/** Returns the maximal runs of at least `least` characters of the set. It checks only every `least`th position at first. */
export function runsOf(text: Uint8Array, set: Uint8Array, least: number): Run[] {
  const runs: Run[] = [];
  let done = 0;
  for (let at = least - 1; at < text.length; at += least) {
    if (set[text[at] as number] === 0) continue;
    let [start, end] = [at, at + 1];
    while (start > done && set[text[start - 1] as number] === 1) start -= 1;
    while (end < text.length && set[text[end] as number] === 1) end += 1;
    if (end - start >= least) runs.push([start, end]);
    done = end;
    at = end;
  }
  return runs;
}
