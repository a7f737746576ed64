import type { ProbeResult } from "../probe.ts";
import type { PublishedVersions, RangeHistory } from "./history.ts";
import { type Version, versionLine } from "./version-line.ts";
import type { WalkItem } from "./walk.ts";

/** A version on the line of the search, or a commit without a version. */
export interface VersionItem extends WalkItem {
  /** null: the item is a commit without a version. */
  version: string | null;
  /** null: only the registry has this version. */
  commit: string | null;
}

export interface ItemRuns {
  commit(commit: string): Promise<ProbeResult>;
  published(version: string): Promise<ProbeResult>;
}

/** Returns the product's versions in order, with the `untagged` commits that have no version inserted at their positions. */
export async function versionItems(
  untagged: readonly string[],
  history: RangeHistory,
  published: PublishedVersions,
  runs: ItemRuns,
): Promise<VersionItem[]> {
  const tags = await history.tags();
  const commits = new Map(tags.map(({ name, commit }) => [name, commit]));
  const versions = versionLine({
    tags: [...commits.keys()],
    published: published.type === "listed" ? published.versions : [],
    packageName: await history.packageName(),
  });
  let items = versions.map((version) => versionItem(version, commits, runs));
  for (const commit of untagged) {
    if (items.some((item) => item.commit === commit)) continue;
    const holders = new Set(await history.tagsWith(commit));
    const holding = versions.filter(({ tag }) => tag !== null && holders.has(tag)).map(({ name }) => name);
    items = withCommit(items, commit, new Set(holding), runs);
  }
  return items;
}

function versionItem(
  { name, tag }: Version,
  commits: ReadonlyMap<string, string>,
  runs: ItemRuns,
): VersionItem {
  const commit = tag === null ? null : (commits.get(tag) ?? null);
  const run = async (): Promise<ProbeResult> =>
    commit === null ? runs.published(name) : runs.commit(commit);
  return { name, version: name, commit, run };
}

/** Returns the items with a commit right before the first version that contains it, or at the end. */
function withCommit(
  items: readonly VersionItem[],
  commit: string,
  holding: ReadonlySet<string>,
  runs: ItemRuns,
): VersionItem[] {
  const at = items.findIndex(({ version }) => version !== null && holding.has(version));
  const item = { name: commit, version: null, commit, run: async () => runs.commit(commit) };
  return items.toSpliced(at === -1 ? items.length : at, 0, item);
}
