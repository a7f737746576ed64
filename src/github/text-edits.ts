/** The replacement of `[start, end)` of a text, in UTF-16 units. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Returns the text after the edits. If two edits overlap, the one that starts first wins. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let result = "";
  let at = 0;
  for (const edit of ordered) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Returns whether a position is in one of the ranges, which do not overlap and are in order. */
export function isInRange(at: number, ranges: readonly (readonly [number, number])[]): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.[1] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
}
