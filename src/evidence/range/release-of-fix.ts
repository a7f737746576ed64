import type { ProbeResult } from "../probe.ts";
import { edgesOf } from "./edges.ts";
import type { PublishedVersions } from "./history.ts";
import { lastSeen } from "./line.ts";
import type { FoundEnd } from "./range-ends.ts";
import type { VersionItem } from "./version-items.ts";
import { compareVersions, parseVersion } from "./version-number.ts";
import { describeDoubts, startWalk, type Walk, walkToEdges } from "./walk.ts";

export interface ReleasePorts {
  published: () => Promise<PublishedVersions>;
  run: (version: string) => Promise<ProbeResult>;
  hasTime: () => boolean;
}

/**
 * Returns the first fixed end with its release, if no tagged version contains the fix, because not every release has a tag. The
 * published versions above the newest tagged one are searched. The end stays without a version if all of them have the bug, and
 * becomes an interval if some that may have the fix could not be tested.
 */
export async function withRelease(
  found: FoundEnd,
  { items, line }: Walk<VersionItem>,
  { published, run, hasTime }: ReleasePorts,
): Promise<FoundEnd> {
  const { end } = found;
  const newest = items.findLast(({ version }) => version !== null)?.version ?? null;
  const bad = items[lastSeen(line, items.length, "bad") ?? -1];
  if (end.type !== "exact" || end.at.version !== null || newest === null || bad === undefined) return found;
  const untagged = above(newest, await published()).map((version): VersionItem => ({
    name: version,
    version,
    commit: null,
    run: async () => run(version),
  }));
  const walk = await walkToEdges(startWalk([bad, ...untagged], 0, new Map()), { confirm: true, hasTime });
  const edge = edgesOf(walk.line).firstFixed;
  const at = edge.type === "found" ? { ...end.at, version: walk.items[edge.index]?.version ?? null } : end.at;
  const doubt = describeDoubts(walk, [...edge.unconfirmed, ...edge.doubts]);
  if (doubt === null) return { ...found, end: { type: "exact", at } };
  const upTo = edge.type === "found" ? edge.index : walk.items.length;
  const last = walk.items[lastSeen(walk.line, upTo, "bad") ?? 0] ?? bad;
  const after = { version: last.version, commit: last.commit };
  return { ...found, end: { type: "interval", after, upTo: at, untestable: doubt } };
}

/**
 * Returns the stable published versions above a version, ascending. There are none if that version is not published: the
 * package may be another one of the same name.
 */
function above(newest: string, published: PublishedVersions): string[] {
  const from = parseVersion(newest);
  if (published.type !== "listed" || from === null || !published.versions.includes(newest)) return [];
  return published.versions
    .flatMap((name) => {
      const number = parseVersion(name);
      return number === null || number.prerelease.length > 0 ? [] : [{ name, number }];
    })
    .filter(({ number }) => compareVersions(number, from) > 0)
    .toSorted((a, b) => compareVersions(a.number, b.number))
    .map(({ name }) => name);
}
