import type { RunRecord, TreeChange } from "../run-record.ts";

/**
 * Returns the paths that were changed although no reproduction may change them. In the runs with the whole product, these are all
 * files that existed before the run and all installed modules. In every run, these are the files beside the checkout (the script,
 * the pristine checkout, new files), because they would outlive the run. A script may add files and folders of its own, and links
 * to paths that its checkout contained before. Caches of tools (such as `node_modules/.cache`) do not count as modules.
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

/**
 * Returns the weight of a change made by a run. Only changes to the script's own files and links, and to caches of tools, are
 * allowed.
 */
export function weightOfChange({ path, type }: TreeChange): WeightOfChange {
  // This check is the first one, because a file of any name beside the checkout can pass information to the next run.
  if (path.startsWith(BESIDE)) return "outlives-the-run";
  if (COMPILED.test(path) || (BUNDLES.test(path) && type !== "added")) return "of-the-product";
  if (CACHE.test(path) || type === "linked") return "allowed";
  return type !== "added" || MODULES.test(path) ? "of-the-product" : "allowed";
}

const BESIDE = "../";
/**
 * Names in node_modules that tools may write at any time. Other names with a leading dot contain modules (`.pnpm`, `.store`) or
 * programs (`.bin`).
 */
const FILES_OF_TOOLS =
  "cache|vite|vite-temp|vitest|tmp|vue-global-types|package-lock\\.json|modules\\.yaml|pnpm-workspace-state[^/]*\\.json|yarn-integrity|yarn-state\\.yml";
const CACHE = new RegExp(
  String.raw`(?:^|\/)(?:node_modules\/\.(?:${FILES_OF_TOOLS})|\.pytest_cache|\.cache)(?:\/|$)`,
);
/** Compiled code, which Python would load instead of a source. The runs keep Python from writing any. */
const COMPILED = /(?:^|\/)__pycache__(?:\/|$)|\.pyc$/;
/** Bundles of dependencies, which Vite loads instead of the dependencies. */
const BUNDLES = /(?:^|\/)node_modules\/\.vite\/(?!vitest\/)/;
const MODULES = /(?:^|\/)node_modules(?:\/|$)/;
