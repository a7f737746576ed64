import { posix } from "node:path";
import type { TreeChange } from "../run-record.ts";

/** The state of each path: size, inode and change time, then a line end and the target of a symbolic link. */
export type Listing = ReadonlyMap<string, string>;

/** Reads a NUL-separated listing of `path TAB content` entries; an entry without a tab is left out. */
export function readListing(text: string): Listing {
  const entries = text.split("\0").flatMap((entry): [string, string][] => {
    const tab = entry.lastIndexOf("\t");
    return tab === -1 ? [] : [[entry.slice(0, tab), entry.slice(tab + 1)]];
  });
  return new Map(entries);
}

const MAX_CHANGES = 200;

/** How the tree at `root` (absolute) differs from before; at most 200 changed paths and 200 new ones. */
export function treeChanges(before: Listing, after: Listing, root: string): TreeChange[] {
  const changed = [...before].flatMap(([path, content]): TreeChange[] => {
    const now = after.get(path);
    if (now === content) return [];
    return [{ path, type: now === undefined ? "deleted" : "modified" }];
  });
  const added = [...after]
    .filter(([path]) => !before.has(path))
    .slice(0, MAX_CHANGES)
    .map(([path, content]): TreeChange => {
      return { path, type: isLinkWithin(before, path, content, root) ? "linked" : "added" };
    });
  return [...changed.slice(0, MAX_CHANGES), ...added];
}

/** Whether a new path is a link to something that `before` holds, and gives no installed module another meaning. */
function isLinkWithin(before: Listing, path: string, content: string, root: string): boolean {
  const target = content.split("\n")[1] ?? "";
  if (target === "") return false;
  const absolute = posix.resolve(root, posix.dirname(path), target);
  if (absolute !== root && !absolute.startsWith(`${root}/`)) return false;
  const name = /(?:^|\/)node_modules\/(.+)$/.exec(path)?.[1];
  const isFree = name === undefined || (MODULE_NAME.test(name) && !isInstalled(before, name));
  return isFree && holds(before, posix.relative(root, absolute));
}

/** A module itself: a link inside of an installed module changes that module. */
const MODULE_NAME = /^(?:@[^/]+\/)?[^/]+$/;

function holds(listing: Listing, path: string): boolean {
  return path === "" || [...listing.keys()].some((one) => one === path || one.startsWith(`${path}/`));
}

function isInstalled(listing: Listing, name: string): boolean {
  return [...listing.keys()].some((one) => `/${one}/`.includes(`/node_modules/${name}/`));
}
