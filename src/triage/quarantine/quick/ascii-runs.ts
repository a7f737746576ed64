/** Where units stand side by side that are ASCII: `[start, end)`. */
export type UnitRun = readonly [start: number, end: number];

/** The longest runs of at least `least` of `count` units, found by a look at every `least`th one. */
export function asciiRuns(count: number, least: number, isAscii: (unit: number) => boolean): UnitRun[] {
  const runs: UnitRun[] = [];
  let done = 0;
  for (let unit = least - 1; unit < count; unit += least) {
    if (!isAscii(unit)) continue;
    let [start, end] = [unit, unit + 1];
    while (start > done && isAscii(start - 1)) start -= 1;
    while (end < count && isAscii(end)) end += 1;
    if (end - start >= least) runs.push([start, end]);
    done = end;
    unit = end;
  }
  return runs;
}
