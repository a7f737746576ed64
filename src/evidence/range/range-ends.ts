import type { RangeEnd, VersionOfProduct } from "../grade.ts";
import type { Edge } from "./edges.ts";
import { lastSeen } from "./line.ts";
import { type CommitSearchPorts, type FoundCommit, searchCommit } from "./search-commit.ts";
import type { VersionItem } from "./version-items.ts";
import { describeDoubts, shortName, type Walk, type WalkItem } from "./walk.ts";

export interface FoundEnd {
  end: RangeEnd;
  /** Sentences for people, such as why the commit is not known. */
  notes: string[];
  /** The name of the commit of this end, for notes. */
  what: "First bad commit" | "First fixed commit";
  /** The version and the commit without the bug on which the end rests. */
  good: { version: VersionItem | null; commit: string | null };
  /** The line of commits of this end, if it is short enough to run all of it; otherwise null. */
  line: Walk<WalkItem> | null;
}

type EndAlone = Pick<FoundEnd, "end" | "notes">;

type VersionWalk = Walk<VersionItem>;

const NOTHING = { good: { version: null, commit: null }, line: null };

/** Returns the oldest bad version and commit of the bad run. */
export async function firstBadEnd(
  walk: VersionWalk,
  edge: Edge,
  search: CommitSearchPorts,
): Promise<FoundEnd> {
  const what = "First bad commit";
  if (edge.type === "unknown") return { ...cutOff(walk, edge.index), what, ...NOTHING };
  const oldest = edge.type === "found" ? edge.index : oldestBad(walk);
  const newer = productOf(walk, oldest);
  const at = edge.type === "found" ? lastSeen(walk.line, edge.index, "good") : null;
  const older = at === null ? null : productOf(walk, at);
  const found = await commitOf({ older, newer, wanted: "bad" }, search);
  const doubt = doubtsOf(walk, edge);
  const seen = { what, ...seenBy(found, itemOf(walk, at)) } as const;
  if (older !== null) return { ...endAt(older, newer, found, doubt, what), ...seen };
  const notes = [
    ...(doubt === null ? [] : [`First bad version: ${doubt}`]),
    ...(found.type === "exact" && found.note !== null ? [`${what}: ${found.note}`] : []),
  ];
  const end = newer.version === null ? beforeVersions(found, newer, notes) : initial(found, newer, notes);
  return { ...end, ...seen };
}

function seenBy(found: FoundCommit, version: VersionItem | null): Pick<FoundEnd, "good" | "line"> {
  if (found.type !== "exact") return { good: { version, commit: null }, line: null };
  return { good: { version, commit: found.good }, line: found.line };
}

/** Returns the end if no version that could be run is free of the bug; an older commit may be. */
function initial(found: FoundCommit, at: VersionOfProduct, notes: string[]): EndAlone {
  if (found.type === "unknown")
    return { end: { type: "initial", at }, notes: [...notes, `First bad commit: ${found.reason}`] };
  const commit = found.type === "exact" ? found.commit : at.commit;
  return { end: { type: "initial", at: { ...at, commit } }, notes };
}

/** Returns the end if the bug is older than every version. */
function beforeVersions(found: FoundCommit, at: VersionOfProduct, notes: string[]): EndAlone {
  switch (found.type) {
    case "exact":
      return { end: { type: "exact", at: { version: null, commit: found.commit } }, notes };
    case "initial":
      return { end: { type: "initial", at }, notes };
    case "unknown":
      return { end: { type: "unknown", reason: found.reason }, notes };
  }
}

/** Returns the oldest good version and commit after the bad run. */
export async function firstFixedEnd(
  walk: VersionWalk,
  edge: Edge,
  search: CommitSearchPorts,
): Promise<FoundEnd> {
  const what = "First fixed commit";
  if (edge.type === "unknown") return { ...cutOff(walk, edge.index), what, ...NOTHING };
  const doubt = doubtsOf(walk, edge);
  if (edge.type === "none")
    return {
      end: { type: "never" },
      notes: doubt === null ? [] : [`First fixed version: ${doubt}`],
      what,
      ...NOTHING,
    };
  const older = productOf(walk, lastSeen(walk.line, edge.index, "bad") ?? edge.index);
  const newer = productOf(walk, edge.index);
  const found = await commitOf({ older, newer, wanted: "good" }, search);
  return { ...endAt(older, newer, found, doubt, what), what, ...seenBy(found, itemOf(walk, edge.index)) };
}

/** Returns the flip between two versions, or between a version and a commit that no version contains. */
function endAt(
  after: VersionOfProduct,
  newer: VersionOfProduct,
  found: FoundCommit,
  doubt: string | null,
  what: FoundEnd["what"],
): EndAlone {
  const reason = found.type === "unknown" ? found.reason : null;
  const at = { version: newer.version, commit: found.type === "exact" ? found.commit : null };
  const noted = found.type === "exact" ? found.note : reason;
  const notes = noted === null ? [] : [`${what}: ${noted}`];
  if (doubt !== null) return { end: { type: "interval", after, upTo: at, untestable: doubt }, notes };
  if (at.version !== null || reason === null) return { end: { type: "exact", at }, notes };
  return { end: { type: "interval", after, upTo: newer, untestable: reason }, notes: [] };
}

function cutOff(walk: VersionWalk, index: number): EndAlone {
  const name = shortName(walk.items[index]?.name ?? "");
  return {
    end: { type: "unknown", reason: `The time for the search ended; the bug is at least in ${name}.` },
    notes: [],
  };
}

async function commitOf(
  flip: { older: VersionOfProduct | null; newer: VersionOfProduct; wanted: "bad" | "good" },
  search: CommitSearchPorts,
): Promise<FoundCommit> {
  const { older, newer, wanted } = flip;
  for (const product of [older, newer])
    if (product !== null && product.commit === null)
      return { type: "unknown", reason: `No tag names the commit of ${product.version}.` };
  return searchCommit({ older: older?.commit ?? null, newer: newer.commit ?? "", wanted }, search);
}

function doubtsOf(walk: VersionWalk, edge: Edge): string | null {
  return describeDoubts(walk, [...edge.unconfirmed, ...edge.doubts]);
}

function productOf({ items }: VersionWalk, index: number): VersionOfProduct {
  const item = items[index];
  return { version: item?.version ?? null, commit: item?.commit ?? null };
}

function itemOf({ items }: VersionWalk, index: number | null): VersionItem | null {
  return index === null ? null : (items[index] ?? null);
}

function oldestBad({ line }: VersionWalk): number {
  return Math.min(...[...line.states].flatMap(([index, state]) => (state === "bad" ? [index] : [])));
}
