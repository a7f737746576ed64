import type { RunRecord, TreeChange } from "../run-record.ts";

/**
 * The paths that no reproduction may change. Of the runs with the whole product: every file that was there before the run and
 * every installed module. Of every run: what lies beside the checkout (the script, the pristine checkout, new files), where it
 * would outlive the run. A script may add files and folders of its own, and links to what its checkout held before. Caches of tools
 * (such as `node_modules/.cache`) are no modules.
 */
export function forbiddenChanges(records: readonly RunRecord[]): string[] {
  const forbidden = records.flatMap(({ kind, changes }) => {
    const isWhole = kind === "real" || kind === "renumbered";
    return changes.filter((change) => {
      const weight = weightOfChange(change);
      return weight === "outlives-the-run" || (isWhole && weight === "of-the-product");
    });
  });
  return [...new Set(forbidden.map(({ path }) => path))];
}

export type WeightOfChange = "outlives-the-run" | "of-the-product" | "allowed";

/** Classifies a change made by a run. Only changes to the script's own files and links, and to caches of tools, are allowed. */
export function weightOfChange({ path, type }: TreeChange): WeightOfChange {
  // First: whatever its name is, a file beside the checkout can tell the next run something.
  if (path.startsWith(BESIDE)) return "outlives-the-run";
  if (COMPILED.test(path) || (BUNDLES.test(path) && type !== "added")) return "of-the-product";
  if (CACHE.test(path) || type === "linked") return "allowed";
  return type !== "added" || MODULES.test(path) ? "of-the-product" : "allowed";
}

const BESIDE = "../";
/** Written by tools at any time. Other names with a dot in node_modules hold modules (`.pnpm`, `.store`) or programs (`.bin`). */
const FILES_OF_TOOLS =
  "cache|vite|vite-temp|vitest|tmp|vue-global-types|package-lock\\.json|modules\\.yaml|pnpm-workspace-state[^/]*\\.json|yarn-integrity|yarn-state\\.yml";
const CACHE = new RegExp(
  String.raw`(?:^|\/)(?:node_modules\/\.(?:${FILES_OF_TOOLS})|\.pytest_cache|\.cache)(?:\/|$)`,
);
/** Python loads it in the place of a source, but keeps none in the runs. */
const COMPILED = /(?:^|\/)__pycache__(?:\/|$)|\.pyc$/;
/** Bundles of dependencies, which Vite loads in their place. */
const BUNDLES = /(?:^|\/)node_modules\/\.vite\/(?!vitest\/)/;
const MODULES = /(?:^|\/)node_modules(?:\/|$)/;
