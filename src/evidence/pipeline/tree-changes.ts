import { posix } from "node:path";
import { type WeightOfChange, weightOfChange } from "../decide/index.ts";
import type { TreeChange } from "../run-record.ts";
import { PRISTINE, RUN } from "./turn.ts";

/** The state of each path: size, inode and change time, then a line end and the target of a symbolic link. */
export type Listing = ReadonlyMap<string, string>;

/** The listings of a desk, whose paths beside the checkout begin with `../`, and of the pristine checkout. */
export interface Listings {
  readonly desk: Listing;
  readonly pristine: Listing;
}

/**
 * Returns the listings in NUL-separated entries `path TAB content`. The entries of a folder follow an entry that consists of a form
 * feed and the folder's name; those before the first folder belong to the desk. Other entries without a tab are skipped.
 */
export function readListings(text: string): Listings {
  const listings = { desk: new Map<string, string>(), pristine: new Map<string, string>() };
  let current = listings.desk;
  for (const entry of text.split("\0")) {
    const tab = entry.lastIndexOf("\t");
    if (tab !== -1) current.set(entry.slice(0, tab), entry.slice(tab + 1));
    else if (entry === `\f${RUN}`) current = listings.desk;
    else if (entry === `\f${PRISTINE}`) current = listings.pristine;
  }
  return listings;
}

const MAX_CHANGES = 200;
/** The order of changes. Forbidden changes come first, so that a script cannot hide one behind many allowed changes. */
const FIRST: Readonly<Record<WeightOfChange, number>> = {
  "outlives-the-run": 0,
  "of-the-product": 1,
  allowed: 2,
};

/** Returns how the tree at `root` (absolute) differs from before: at most 200 changes, the most serious first. */
export function treeChanges(before: Listing, after: Listing, root: string): TreeChange[] {
  const changed = [...before].flatMap(([path, content]): TreeChange[] => {
    const now = after.get(path);
    if (now === content) return [];
    return [{ path, type: now === undefined ? "deleted" : "modified" }];
  });
  const isLinkWithin = linksWithin(before, root);
  const added = [...after]
    .filter(([path]) => !before.has(path))
    .map(([path, content]): TreeChange => ({ path, type: isLinkWithin(path, content) ? "linked" : "added" }));
  return [...changed, ...added]
    .toSorted((one, other) => FIRST[weightOfChange(one)] - FIRST[weightOfChange(other)])
    .slice(0, MAX_CHANGES);
}

/** Returns whether a new path is a link to a path in `before` that does not change the meaning of an installed module. */
function linksWithin(before: Listing, root: string): (path: string, content: string) => boolean {
  let known: KnownTree | null = null;
  return (path, content) => {
    const target = content.split("\n")[1] ?? "";
    if (target === "") return false;
    const absolute = posix.resolve(root, posix.dirname(path), target);
    if (absolute !== root && !absolute.startsWith(`${root}/`)) return false;
    known ??= knownTree(before);
    const name = /(?:^|\/)node_modules\/(.+)$/.exec(path)?.[1];
    const isFree = name === undefined || (MODULE_NAME.test(name) && !known.modules.has(name));
    return isFree && known.paths.has(posix.relative(root, absolute));
  };
}

/** The name of a whole module, because a link inside an installed module changes that module. */
const MODULE_NAME = /^(?:@[^/]+\/)?[^/]+$/;
const MODULE_IN_PATH = /(?:^|\/)node_modules\/((?:(@[^/]+)\/)?[^/]+)(?=\/|$)/g;

interface KnownTree {
  /** Paths of files, links and folders; the root is "". */
  readonly paths: ReadonlySet<string>;
  /** Names of installed modules, and of folders that contain modules (`@scope`). */
  readonly modules: ReadonlySet<string>;
}

/** Returns the listing as sets. It is called once, so that a script that creates many links does not keep the parent busy. */
function knownTree(listing: Listing): KnownTree {
  const paths = new Set([""]);
  const modules = new Set<string>();
  for (const path of listing.keys()) {
    for (let one = path; one !== "." && !paths.has(one); one = posix.dirname(one)) paths.add(one);
    for (const [, name = "", scope] of path.matchAll(MODULE_IN_PATH)) {
      modules.add(name);
      if (scope !== undefined) modules.add(scope);
    }
  }
  return { paths, modules };
}
