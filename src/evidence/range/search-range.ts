import type { Clock } from "agent-tty/kit";
import { type Edge, flipsOf } from "./edges.ts";
import { searchCommit } from "./search-commit.ts";
import type { Doubt, FoundEdge, ProbeResult, ProbeTarget, RangeFinding } from "./finding.ts";
import type { RangeHistory } from "./history.ts";
import type { ProbeState } from "./line.ts";
import { type Version, versionLine } from "./version-line.ts";
import {
  doubtsOf,
  edgesOfWalk,
  startWalk,
  type Walk,
  walkBeyond,
  type WalkItem,
  walkToEdges,
} from "./walk.ts";

/** Runs the script once on one target, within the time that is left. Rejects when the place of the runs is lost. */
export type Probe = (target: ProbeTarget, remainingMs: number) => Promise<ProbeResult>;

export interface RangeRequest {
  /** Commit of the checkout that showed the bug. */
  bad: string;
  /** Commit of the default branch and what it showed; null: it is `bad` itself, or was not run. */
  head: { commit: string; state: ProbeState } | null;
  budgetMs: number;
}

export interface RangePorts {
  history: RangeHistory;
  probe: Probe;
  clock: Clock;
  signal: AbortSignal;
}

interface VersionItem extends WalkItem {
  version: string | null;
  commit: string | null;
}

/** Shares of the budget at which each part of the search ends at the latest. */
const VERSIONS_END = 0.7;
const COMMITS_END = 0.9;

/**
 * V4: searches the bad run around a commit that has the bug, first along the versions by number, then along the commits
 * of the two flips, and last beyond them for a bug that came back. Ends in time and says what was not run.
 */
export async function searchRange(request: RangeRequest, ports: RangePorts): Promise<RangeFinding> {
  const startedMs = ports.clock.monotonicMs();
  const leftMs = (): number => startedMs + request.budgetMs - ports.clock.monotonicMs();
  const until = (share: number) => (): boolean => {
    ports.signal.throwIfAborted();
    return leftMs() > request.budgetMs * (1 - share);
  };
  const run = async (target: ProbeTarget): Promise<ProbeResult> => ports.probe(target, Math.max(1, leftMs()));
  const { items, origin, known, notes } = await versionItems(request, ports.history, run);
  let walk = startWalk(items, origin, known);
  walk = await walkToEdges(walk, { confirm: true, hasTime: until(VERSIONS_END) });
  const search = { ...ports, run, hasTime: until(COMMITS_END) };
  const { firstBad, firstFixed } = edgesOfWalk(walk);
  const finding = {
    firstBad: await foundFirstBad(walk, firstBad, search),
    firstFixed: await foundFirstFixed(walk, firstFixed, search),
  };
  walk = await walkBeyond(walk, until(1));
  const flips = flipsOf(walk.line).map(({ index, state }) => ({ name: items[index]?.name ?? "", state }));
  return { ...finding, flips, notes };
}

async function versionItems(
  { bad, head }: RangeRequest,
  history: RangeHistory,
  run: (target: ProbeTarget) => Promise<ProbeResult>,
): Promise<{ items: VersionItem[]; origin: number; known: Map<number, ProbeState>; notes: string[] }> {
  const tags = await history.tags();
  const published = await history.published();
  const versions = versionLine({
    tags: tags.map(({ name }) => name),
    published: published.type === "listed" ? published.versions : [],
    packageName: published.packageName,
  });
  const commits = new Map(tags.map(({ name, commit }) => [name, commit]));
  const items = versions.map((version) => itemOf(version, commits, run));
  for (const commit of [bad, ...(head === null ? [] : [head.commit])])
    if (!items.some((item) => item.commit === commit))
      insert(commit, items, await history.tagsWith(commit), versions, run);
  const indexOf = (commit: string): number => items.findIndex((item) => item.commit === commit);
  const notes =
    published.type === "unavailable" ? [`Registry versions were left out: ${published.reason}.`] : [];
  const known = new Map<number, ProbeState>(head === null ? [] : [[indexOf(head.commit), head.state]]);
  return { items, origin: indexOf(bad), known, notes };
}

function itemOf(
  { name, tag }: Version,
  commits: ReadonlyMap<string, string>,
  run: (target: ProbeTarget) => Promise<ProbeResult>,
): VersionItem {
  const commit = tag === null ? null : (commits.get(tag) ?? null);
  const target: ProbeTarget =
    commit === null ? { type: "published", version: name } : { type: "commit", commit };
  return { name, version: name, commit, run: async () => run(target) };
}

/** A commit without a version stands right before the first version that holds it, else at the end. */
function insert(
  commit: string,
  items: VersionItem[],
  holders: readonly string[],
  versions: readonly Version[],
  run: (target: ProbeTarget) => Promise<ProbeResult>,
): void {
  const names = new Set(
    versions.flatMap(({ name, tag }) => (tag !== null && holders.includes(tag) ? [name] : [])),
  );
  const at = items.findIndex(({ version }) => version !== null && names.has(version));
  const item = {
    name: commit.slice(0, 12),
    version: null,
    commit,
    run: async () => run({ type: "commit", commit }),
  };
  items.splice(at === -1 ? items.length : at, 0, item);
}

type CommitSearch = Parameters<typeof searchCommit>[1];

async function foundFirstBad(walk: Walk<VersionItem>, edge: Edge, search: CommitSearch): Promise<FoundEdge> {
  const { items, line } = walk;
  const oldest = edge.type === "none" ? oldestBad(walk) : edge.index;
  const found = { type: edge.type, version: versionFrom(items, oldest), doubts: doubtsOf(walk, edge.doubts) };
  if (edge.type === "unknown") return { ...found, commit: null, commitReason: OUT_OF_TIME };
  const good = nearestGood(line.states, oldest, -1);
  const newer = items[oldest]?.commit ?? null;
  const older = good === null ? null : (items[good]?.commit ?? null);
  if (newer === null || (good !== null && older === null))
    return {
      ...found,
      commit: null,
      commitReason: onlyPublished(items[newer === null ? oldest : (good ?? 0)]),
    };
  return { ...found, ...(await searchCommit({ older, newer, wanted: "bad" }, search)) };
}

async function foundFirstFixed(
  walk: Walk<VersionItem>,
  edge: Edge,
  search: CommitSearch,
): Promise<FoundEdge> {
  const { items, line } = walk;
  const doubts: Doubt[] = doubtsOf(walk, edge.doubts);
  if (edge.type !== "found")
    return {
      type: edge.type,
      version: null,
      doubts,
      commit: null,
      commitReason: edge.type === "none" ? NOT_FIXED : OUT_OF_TIME,
    };
  const found = { type: edge.type, version: releaseFrom(items, edge.index, line.states), doubts };
  const newer = items[edge.index]?.commit ?? null;
  let lastBad = edge.index - 1;
  while (line.states.get(lastBad) !== "bad") lastBad -= 1;
  const older = items[lastBad]?.commit ?? null;
  if (newer === null || older === null)
    return {
      ...found,
      commit: null,
      commitReason: onlyPublished(items[newer === null ? edge.index : lastBad]),
    };
  return { ...found, ...(await searchCommit({ older, newer, wanted: "good" }, search)) };
}

const OUT_OF_TIME = "The time for the search ended.";
const NOT_FIXED = "No version and no commit without the bug is known.";

function onlyPublished(item: VersionItem | undefined): string {
  return `No tag names the commit of ${item?.name ?? "a version"}: only the registry has it.`;
}

/** With no good one before it. */
function oldestBad({ line }: Walk<VersionItem>): number {
  return Math.min(...[...line.states].flatMap(([index, state]) => (state === "bad" ? [index] : [])));
}

/** The first version at or after the index, as the first that holds what an untagged commit brought. */
function versionFrom(items: readonly VersionItem[], index: number): string | null {
  return items[index]?.version ?? null;
}

/** An untagged commit is released by nothing yet, or by the next version that is good as well. */
function releaseFrom(
  items: readonly VersionItem[],
  index: number,
  states: ReadonlyMap<number, ProbeState>,
): string | null {
  const own = versionFrom(items, index);
  if (own !== null) return own;
  const next = items.findIndex((item, at) => at > index && item.version !== null);
  return next !== -1 && states.get(next) === "good" ? versionFrom(items, next) : null;
}

function nearestGood(states: ReadonlyMap<number, ProbeState>, from: number, step: -1 | 1): number | null {
  for (let index = from + step; index >= 0; index += step) {
    const state = states.get(index);
    if (state === "good") return index;
    if (state === "bad") return null;
  }
  return null;
}
