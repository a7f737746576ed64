import type { Clock } from "agent-tty/kit";
import type { Range } from "../grade.ts";
import type { Probe, ProbeResult } from "../probe.ts";
import { confirmEnd } from "./confirm-end.ts";
import { edgesOf, flipsOf } from "./edges.ts";
import type { PublishedVersions, RangeHistory, RangeRegistry } from "./history.ts";
import type { ProbeState } from "./line.ts";
import { firstBadEnd, firstFixedEnd, type FoundEnd } from "./range-ends.ts";
import { withRelease } from "./release-of-fix.ts";
import { type VersionItem, versionItems } from "./version-items.ts";
import { versionLine } from "./version-line.ts";
import { shortName, startWalk, type Walk, walkBeyond, type WalkItem } from "./walk.ts";
import { walkHistory } from "./walk-history.ts";

export interface RangeRequest {
  /** A commit that has the bug: the reported version, or the checkout's own. */
  bad: string;
  /** The default branch's commit and its state, if it differs from `bad` and has already been run. */
  head: { commit: string; state: ProbeState } | null;
  /** The time for the whole search, in milliseconds. */
  budgetMs: number;
}

export interface RangePorts {
  history: RangeHistory;
  probe: Probe;
  /** null: versions that only a registry has are skipped. */
  registry: RangeRegistry | null;
  clock: Clock;
  signal: AbortSignal;
}

/** Shares of the budget after which the search of the versions, the commits and the items beyond the bad run ends. */
const SHARES = { versions: 0.7, commits: 0.9, beyond: 1 };

/**
 * Returns the range of the bad run around a commit that has the bug (V4). It is searched first along the versions by number, then
 * along the commits at its two flips, and finally beyond them for a bug that came back. The search ends within its budget and
 * reports which items were not tested.
 */
export async function searchRange(request: RangeRequest, ports: RangePorts): Promise<Range> {
  const { clock, signal, history, probe, registry } = ports;
  const startedMs = clock.monotonicMs();
  const hasTime = (share: number) => (): boolean => {
    signal.throwIfAborted();
    return clock.monotonicMs() - startedMs < request.budgetMs * share;
  };
  const seen = new Map<string, ProbeResult>();
  const runCommit = async (commit: string): Promise<ProbeResult> => {
    const result = seen.get(commit) ?? (await probe(commit, signal));
    seen.set(commit, result);
    return result;
  };
  const reported = await runCommit(request.bad);
  if (reported.type !== "bad") return unknownRange(NOT_SHOWN);
  const asReported = (result: ProbeResult): ProbeResult =>
    result.type === "bad" && result.failure !== reported.failure ? FAILS_OTHERWISE : result;
  const run = async (commit: string): Promise<ProbeResult> => asReported(await runCommit(commit));
  const runAgain = async (commit: string): Promise<ProbeResult> => asReported(await probe(commit, signal));
  // Installing a published version costs more than checking out a tag, so it is done only for repositories without tagged
  // versions, and for the release of a fix that no tagged version has.
  const isTagged = await hasTaggedVersions(history);
  const published = isTagged ? NO_PACKAGE : ((await registry?.published()) ?? NO_PACKAGE);
  const runPublished = async (version: string): Promise<ProbeResult> =>
    asReported((await registry?.probe(version, signal)) ?? NO_REGISTRY);
  const runs = { commit: run, published: runPublished };
  const items = await versionItems(untaggedOf(request), history, published, runs);
  const begun = startWalk(items, indexOf(items, request.bad), knownOf(items, request));
  const walked = await walkHistory(begun, { history, run, runAgain, hasTime: hasTime(SHARES.versions) });
  const edges = edgesOf(walked.walk.line);
  const search = { history, run, runAgain, hasTime: hasTime(SHARES.commits) };
  const foundBad = await firstBadEnd(walked.walk, edges.firstBad, search);
  const foundFixed = await firstFixedEnd(walked.walk, edges.firstFixed, search);
  const firstBad = await confirmEnd(foundBad, search);
  const firstFixed = await withRelease(await confirmEnd(foundFixed, search), walked.walk, {
    published: async () => (isTagged ? ((await registry?.published()) ?? NO_PACKAGE) : NO_PACKAGE),
    run: runPublished,
    hasTime: hasTime(SHARES.beyond),
  });
  const walk = await walkBeyond(walked.walk, hasTime(SHARES.beyond));
  const notes = [
    ...firstBad.notes,
    ...firstFixed.notes,
    ...walked.notes,
    ...cameBack(walk, "The bug was there more than once, by version number"),
    ...(await cameBackWithin(firstBad, hasTime(SHARES.beyond))),
    ...(await cameBackWithin(firstFixed, hasTime(SHARES.beyond))),
    ...leftOut(published),
  ];
  const flips = flipsOf(walk.line).length - 1;
  return { firstBad: firstBad.end, firstFixed: firstFixed.end, flips, notes };
}

const NOT_SHOWN =
  "The script did not show the bug again where it was seen before, so no other version was run.";

function unknownRange(reason: string): Range {
  return {
    firstBad: { type: "unknown", reason },
    firstFixed: { type: "unknown", reason },
    flips: 0,
    notes: [],
  };
}

const FAILS_OTHERWISE: ProbeResult = {
  type: "untestable",
  reason: "The script fails there with the exit code of the bug, but in another way.",
};

const NO_PACKAGE: PublishedVersions = { type: "no-package" };
const NO_REGISTRY: ProbeResult = { type: "untestable", reason: "No registry is queried." };

async function hasTaggedVersions(history: RangeHistory): Promise<boolean> {
  const tags = (await history.tags()).map(({ name }) => name);
  return versionLine({ tags, published: [], packageName: await history.packageName() }).length > 1;
}

function untaggedOf({ bad, head }: RangeRequest): string[] {
  return head === null ? [bad] : [bad, head.commit];
}

function indexOf(items: readonly VersionItem[], commit: string): number {
  return items.findIndex((item) => item.commit === commit);
}

function knownOf(items: readonly VersionItem[], { head }: RangeRequest): Map<number, ProbeState> {
  return new Map(head === null ? [] : [[indexOf(items, head.commit), head.state]]);
}

/** Runs the other commits of an end's line while there is time, and returns a sentence if there is more than one bad run there. */
async function cameBackWithin({ line, what }: FoundEnd, hasTime: () => boolean): Promise<string[]> {
  if (line === null) return [];
  return cameBack(
    await walkBeyond(line, hasTime),
    `${what}: Along the commits, the bug was there more than once`,
  );
}

/** Returns a sentence for people that begins with `lead` if there is more than one bad run; otherwise none. */
function cameBack<Item extends WalkItem>({ items, line }: Walk<Item>, lead: string): string[] {
  const flips = flipsOf(line);
  if (flips.filter(({ state }) => state === "bad").length < 2) return [];
  const told = flips.map(({ index, state }) => `${state} from ${shortName(items[index]?.name ?? "")}`);
  return [`${lead}: ${told.join(", ")}.`];
}

function leftOut(published: PublishedVersions): string[] {
  if (published.type !== "unavailable") return [];
  return [`Versions that only the registry has were left out: ${published.reason}`];
}
