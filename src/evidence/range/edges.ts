import { type Direction, type Line, type Side, sideOf } from "./line.ts";

/** The index at which a bad run begins or ends. */
export type Edge = {
  /** Items at the flip that were not run or are untestable; the flip may be at any of them. */
  doubts: readonly number[];
  /** Items inside the bad run that were not run; a good one among them would split it. */
  unconfirmed: readonly number[];
} & (
  | /** First bad: the oldest bad item after a good one. First fixed: the oldest good item after the bad run. */
    { type: "found"; index: number }
  /** Every testable item on this side has the bug: the bug exists from the beginning, or is not fixed yet. */
  | { type: "none" }
  /** The search ended too early to find the edge. The bug reaches at least to `index`. */
  | { type: "unknown"; index: number }
);

export interface Edges {
  firstBad: Edge;
  firstFixed: Edge;
}

/** Returns both edges of the bad run, even after a search that was cut off. */
export function edgesOf(line: Line): Edges {
  const older = sideOf(line, "older");
  const newer = sideOf(line, "newer");
  return { firstBad: edgeOf(older, older.bad), firstFixed: edgeOf(newer, newer.good ?? newer.bad) };
}

function edgeOf(side: Side, index: number): Edge {
  const doubts = [...side.open, ...side.untestable].sort((a, b) => a - b);
  const { unconfirmed } = side;
  if (side.good !== null) return { type: "found", index, doubts, unconfirmed };
  const isOpen = side.open.length + unconfirmed.length > 0;
  return isOpen
    ? { type: "unknown", index: side.bad, doubts, unconfirmed }
    : { type: "none", doubts, unconfirmed };
}

/** Returns every change of state among the tested items, in order; untestable items are skipped. */
export function flipsOf({ states }: Line): { index: number; state: "bad" | "good" }[] {
  const flips: { index: number; state: "bad" | "good" }[] = [];
  for (const [index, state] of [...states].sort(([a], [b]) => a - b)) {
    if (state !== "untestable" && flips.at(-1)?.state !== state) flips.push({ index, state });
  }
  return flips;
}

/**
 * Returns the next item beyond the edges, nearest to the origin first; null: none is left. These items are run last, to determine
 * whether the bug came back.
 */
export function nextBeyond(line: Line): number | null {
  const beyond = (direction: Direction): number | undefined => {
    const { good } = sideOf(line, direction);
    if (good === null) return undefined;
    const step = direction === "older" ? -1 : 1;
    for (let index = good + step; index >= 0 && index < line.length; index += step)
      if (!line.states.has(index)) return index;
    return undefined;
  };
  return beyond("newer") ?? beyond("older") ?? null;
}
