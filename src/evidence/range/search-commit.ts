import type { ProbeResult } from "../probe.ts";
import { edgesOf } from "./edges.ts";
import type { RangeHistory } from "./history.ts";
import { describeDoubts, shortName, startWalk, type Walk, type WalkItem, walkToEdges } from "./walk.ts";

/**
 * The maximum number of commits of which all are run. Longer ranges are bisected, as `git bisect` does, which assumes that bad
 * commits are contiguous.
 */
const CONFIRM_MAX = 32;

/** The versions on both sides of a flip. */
export interface CommitFlip {
  /** null: no older version is free of the bug. */
  older: string | null;
  newer: string;
  /** `bad`: the first bad commit after a good `older`. `good`: the first fixed commit after a bad `older`. */
  wanted: "bad" | "good";
}

export interface CommitSearchPorts {
  history: RangeHistory;
  run: (commit: string) => Promise<ProbeResult>;
  /** Runs the script on the commit even if it was run before. */
  runAgain: (commit: string) => Promise<ProbeResult>;
  hasTime: () => boolean;
}

/**
 * `initial`: the oldest commit has the bug. `reason` says why no exact commit is known, as a sentence for people.
 */
export type FoundCommit = ExactCommit | { type: "initial" } | { type: "unknown"; reason: string };

interface ExactCommit {
  type: "exact";
  commit: string;
  /** The commit at the flip that does not have the bug. */
  good: string;
  /** A sentence for people; null: there is nothing to report. */
  note: string | null;
  /** The first-parent line, if it is short enough to run all of it; otherwise null. */
  line: Walk<WalkItem> | null;
}

/**
 * Returns the commit of a flip between two versions. It is searched for along the first-parent line of the newer one, then in the
 * branch that the found commit merges.
 */
export async function searchCommit(flip: CommitFlip, ports: CommitSearchPorts): Promise<FoundCommit> {
  const found = await searchLine(flip, ports);
  return found.type === "exact" ? inMergedBranch(found, flip.wanted, ports) : found;
}

/**
 * Returns the commit of the flip in the branch that `found` merges, if the flip came with that branch; otherwise `found`. `note`
 * says why the branch's own commit is not known.
 */
async function inMergedBranch(
  found: ExactCommit,
  wanted: CommitFlip["wanted"],
  ports: CommitSearchPorts,
): Promise<ExactCommit> {
  const { history, run, hasTime } = ports;
  const [first = "", ...merged] = await history.parents(found.commit);
  for (const tip of merged) {
    if (!hasTime()) return withNote(found, "The time for the search ended.");
    const { type } = await run(tip);
    if (type === "untestable")
      return withNote(found, `${shortName(tip)}, which it merges, cannot be tested.`);
    if (type !== wanted) continue;
    const base = await history.mergeBase(first, tip);
    if (base !== null) {
      const before = (await run(base)).type;
      if (before === "untestable")
        return withNote(found, `${shortName(base)}, where the branch begins, cannot be tested.`);
      if (before === wanted) continue;
    }
    const inBranch = await searchCommit({ older: base, newer: tip, wanted }, ports);
    if (inBranch.type === "exact") return { ...inBranch, line: found.line };
    if (inBranch.type === "unknown") return withNote(found, inBranch.reason);
  }
  return found;
}

function withNote(found: ExactCommit, reason: string): ExactCommit {
  return {
    ...found,
    note: `${shortName(found.commit)} is a merge, and the commit in its branch is not known. ${reason}`,
  };
}

/** Returns the commit of a flip on the first-parent line alone. */
async function searchLine(flip: CommitFlip, ports: CommitSearchPorts): Promise<FoundCommit> {
  const start = await startOf(flip, ports);
  if (start.type === "unknown") return start;
  const { commits, before, isShallow } = await ports.history.commits(start.commit, flip.newer);
  if (commits.length === 0) return unknown("The checkout lacks the history between the two versions.");
  const names = before === null ? commits : [before, ...commits];
  const oldest = names[0] ?? "";
  const isWhole = before === start.commit && (before !== null || !isShallow);
  const items = names.map((name) => ({ name, run: async () => ports.run(name) }));
  const last = items.length - 1;
  const isBadWanted = flip.wanted === "bad";
  if (!isBadWanted && !isWhole) {
    const doubt = await notBad(oldest, ports);
    if (doubt !== null) return unknown(doubt);
  }
  const isStartKnown = isWhole && before !== null;
  const known = isBadWanted ? (isStartKnown ? [[0, "good"] as const] : []) : [[last, "good"] as const];
  const confirm = items.length <= CONFIRM_MAX;
  const begun = startWalk(items, isBadWanted ? last : 0, new Map(known));
  const walk = await walkToEdges(begun, { confirm, hasTime: ports.hasTime });
  const edge = isBadWanted ? edgesOf(walk.line).firstBad : edgesOf(walk.line).firstFixed;
  const doubt = describeDoubts(walk, confirm ? [...edge.unconfirmed, ...edge.doubts] : edge.doubts);
  if (edge.type === "none") {
    if (isBadWanted && !isWhole)
      return unknown(
        `${shortName(oldest)} or an older commit; those before it were not run. ${doubt ?? ""}`.trim(),
      );
    return doubt === null && isBadWanted ? { type: "initial" } : unknown(doubt ?? ALL_BAD);
  }
  const commit = items[edge.index]?.name ?? "";
  const good = isBadWanted ? (items[edge.index - 1]?.name ?? "") : commit;
  if (edge.type === "found" && doubt === null)
    return { type: "exact", commit, good, note: null, line: confirm ? walk : null };
  return unknown(`${shortName(commit)} or a commit near it. ${doubt ?? ""}`.trim());
}

const ALL_BAD = "Every commit that could be tested has the bug.";

/** Returns why a search for the fix cannot start at this commit, as a sentence for people; null: the commit has the bug. */
async function notBad(commit: string, { run, hasTime }: CommitSearchPorts): Promise<string | null> {
  if (!hasTime()) return "The time for the search ended.";
  const { type } = await run(commit);
  if (type === "bad") return null;
  const seen = type === "good" ? "does not have the bug" : "cannot be tested";
  return `${shortName(commit)} ${seen}, and the commits before it were not run.`;
}

type Start = { type: "from"; commit: string | null } | { type: "unknown"; reason: string };

/**
 * Returns the start of the search: the older version if the newer one descends from it, otherwise the commit at which their
 * histories diverge, if the script has the older version's result there.
 */
async function startOf({ older, newer, wanted }: CommitFlip, ports: CommitSearchPorts): Promise<Start> {
  if (older === null) return { type: "from", commit: null };
  const base = await ports.history.mergeBase(older, newer);
  if (base === older) return { type: "from", commit: older };
  if (base === null) return unknown("The two versions share no history.");
  if (!ports.hasTime()) return unknown("The time for the search ended.");
  const { type } = await ports.run(base);
  if (type === (wanted === "bad" ? "good" : "bad")) return { type: "from", commit: base };
  const seen = type === "untestable" ? "cannot be tested" : "shows the same as the newer version";
  return unknown(
    `The two versions are on different branches, and ${shortName(base)}, where they part, ${seen}.`,
  );
}

function unknown(reason: string): { type: "unknown"; reason: string } {
  return { type: "unknown", reason };
}
