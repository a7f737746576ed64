import type { ProbeResult } from "../probe.ts";

/** The git history and the manifest of the checkout. Every method rejects when the checkout is lost. */
export interface RangeHistory {
  /** Every tag with the commit that it names. */
  tags(): Promise<readonly { name: string; commit: string }[]>;
  /** Names of the tags whose history holds the commit. */
  tagsWith(commit: string): Promise<readonly string[]>;
  /**
   * The commits of `newer`'s own line (a merged branch counts as one commit) after `older`, ascending, `newer` last.
   * `older` null: from the beginning, at most the newest 4,096. Empty: the checkout lacks that history.
   */
  commits(older: string | null, newer: string): Promise<readonly string[]>;
  /** Where the histories of both part; null: they share none. */
  mergeBase(a: string, b: string): Promise<string | null>;
  /** The name in the checkout's manifest, private or not; null: no manifest names one. */
  packageName(): Promise<string | null>;
}

/** The package registry, asked from the place of the runs. */
export interface RangeRegistry {
  published(): Promise<PublishedVersions>;
  /** Runs the script once on the version as the registry publishes it. */
  probe(version: string, signal: AbortSignal): Promise<ProbeResult>;
}

export type PublishedVersions =
  | { type: "listed"; versions: readonly string[] }
  /** The manifest names no package of a registry. */
  | { type: "no-package" }
  /** The registry could not be asked. `reason` is a sentence for people. */
  | { type: "unavailable"; reason: string };
