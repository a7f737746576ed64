import type { ProbeResult } from "../probe.ts";

/** The git history and the manifest of the checkout. Every method rejects when the checkout is lost. */
export interface RangeHistory {
  /** Returns every tag with its commit. */
  tags(): Promise<readonly { name: string; commit: string }[]>;
  /** Returns the names of the tags whose history contains the commit. */
  tagsWith(commit: string): Promise<readonly string[]>;
  /**
   * Returns the commits on the first-parent line of `newer` (a merged branch counts as one commit) that are not in the history of
   * `older`. If `older` is null, the line starts at the beginning.
   */
  commits(older: string | null, newer: string): Promise<CommitLine>;
  /** Returns the parents of a commit, the first one first; none: it has none, or the checkout lacks them. */
  parents(commit: string): Promise<readonly string[]>;
  /** Returns the commit at which both histories diverge; null: they have no common history. */
  mergeBase(a: string, b: string): Promise<string | null>;
  /** Returns the name in the checkout's manifest, private or not; null: no manifest contains a name. */
  packageName(): Promise<string | null>;
}

export interface CommitLine {
  /** The commits, ascending; at most the newest 4,096. Empty: the checkout lacks that history. */
  commits: readonly string[];
  /**
   * The first parent of the oldest of them. It differs from `older` if there are more commits, or if `older` was merged into the
   * line. null: the oldest has no parent, or the checkout lacks it.
   */
  before: string | null;
  /** Whether the checkout lacks older history. */
  isShallow: boolean;
}

/** The package registry, which is queried from the place of the runs. */
export interface RangeRegistry {
  published(): Promise<PublishedVersions>;
  /** Runs the script once on the published version. */
  probe(version: string, signal: AbortSignal): Promise<ProbeResult>;
}

export type PublishedVersions =
  | { type: "listed"; versions: readonly string[] }
  /** The manifest names no package of a registry. */
  | { type: "no-package" }
  /** The registry could not be queried. `reason` is a sentence for people. */
  | { type: "unavailable"; reason: string };
