import type { TreeChange } from "../run-record.ts";

/** A tree as it was listed: what stands for each path's content. */
export type Listing = ReadonlyMap<string, string>;

export function readListing(text: string): Listing {
  const entries = text.split("\0").flatMap((entry): [string, string][] => {
    const tab = entry.lastIndexOf("\t");
    return tab === -1 ? [] : [[entry.slice(0, tab), entry.slice(tab + 1)]];
  });
  return new Map(entries);
}

const MAX_CHANGES = 200;

/** How a tree differs from before; at most 200 paths of each kind. */
export function treeChanges(before: Listing, after: Listing): TreeChange[] {
  const changed = [...before].flatMap(([path, content]): TreeChange[] => {
    const now = after.get(path);
    if (now === content) return [];
    return [{ path, type: now === undefined ? "deleted" : "modified" }];
  });
  const added = [...after.keys()]
    .filter((path) => !before.has(path))
    .map((path): TreeChange => ({ path, type: "added" }));
  return [...changed.slice(0, MAX_CHANGES), ...added.slice(0, MAX_CHANGES)];
}
