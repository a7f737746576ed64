/** Where signs of a set stand side by side: `[start, end)`. */
type Run = readonly [start: number, end: number];

/** 1 for each byte whose character is in the set. */
export function signTable(set: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (set.test(String.fromCharCode(code)) ? 1 : 0));
}

/** The longest runs of at least `least` signs, found by a look at every `least`th place. */
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
