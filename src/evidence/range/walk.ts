import type { ProbeResult } from "../probe.ts";
import { nextBeyond } from "./edges.ts";
import { type Line, nextProbe, type ProbeState, startLine, withoutIndex, withState } from "./line.ts";

/** One item on the line, on which a script can be run. */
export interface WalkItem {
  /** A version, or the id of a commit. */
  name: string;
  run: () => Promise<ProbeResult>;
}

/** A line with its items. */
export interface Walk<Item extends WalkItem> {
  items: readonly Item[];
  line: Line;
  /** The reasons why items could not be tested, by the items' names. */
  reasons: ReadonlyMap<string, string>;
}

/** Returns a walk. `known` contains earlier results, except the origin's. */
export function startWalk<Item extends WalkItem>(
  items: readonly Item[],
  origin: number,
  known: ReadonlyMap<number, ProbeState>,
): Walk<Item> {
  let line = startLine(items.length, origin);
  for (const [index, state] of known) line = withState(line, index, state);
  return { items, line, reasons: new Map() };
}

/** Returns the walk without one item, which is not the origin. */
export function withoutItem<Item extends WalkItem>(walk: Walk<Item>, index: number): Walk<Item> {
  return { ...walk, items: walk.items.toSpliced(index, 1), line: withoutIndex(walk.line, index) };
}

/**
 * Runs the items that the edges need while there is time, and returns the walk with the results. With `confirm`, all items in
 * between run, too, so that no good one is missed.
 */
export async function walkToEdges<Item extends WalkItem>(
  walk: Walk<Item>,
  { confirm, hasTime }: { confirm: boolean; hasTime: () => boolean },
): Promise<Walk<Item>> {
  return walkBy(walk, (line) => nextProbe(line, { confirm }), hasTime);
}

/**
 * Runs the items beyond the bad run while there is time, to determine whether the bug came back, and returns the walk with the
 * results.
 */
export async function walkBeyond<Item extends WalkItem>(
  walk: Walk<Item>,
  hasTime: () => boolean,
): Promise<Walk<Item>> {
  return walkBy(walk, nextBeyond, hasTime);
}

async function walkBy<Item extends WalkItem>(
  walk: Walk<Item>,
  next: (line: Line) => number | null,
  hasTime: () => boolean,
): Promise<Walk<Item>> {
  let { line } = walk;
  const reasons = new Map(walk.reasons);
  for (let index = next(line); index !== null && hasTime(); index = next(line)) {
    const item = walk.items[index];
    if (item === undefined) throw new Error(`the line has no item ${index}`);
    const result = await item.run();
    line = withState(line, index, result.type);
    if (result.type === "untestable") reasons.set(item.name, result.reason);
  }
  return { ...walk, line, reasons };
}

const MAX_NAMED = 5;

/** Returns a sentence for people about the untested items that may move an edge; null: there are none. */
export function describeDoubts<Item extends WalkItem>(
  { items, reasons }: Walk<Item>,
  doubts: readonly number[],
): string | null {
  if (doubts.length === 0) return null;
  const byReason = new Map<string, string[]>();
  for (const index of doubts) {
    const name = items[index]?.name ?? "";
    const reason = reasons.get(name) ?? "The time for the search ended.";
    byReason.set(reason, [...(byReason.get(reason) ?? []), shortName(name)]);
  }
  return [...byReason].map(([reason, names]) => `Not tested: ${listed(names)}. ${reason}`).join(" ");
}

/** Returns the first 12 digits of a commit; other names are returned unchanged. */
export function shortName(name: string): string {
  return /^[0-9a-f]{40,64}$/.test(name) ? name.slice(0, 12) : name;
}

/** Returns names for people: the first five, and the number of the others. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
