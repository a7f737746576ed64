import type { RunRecord } from "../run-record.ts";

/**
 * The paths that no reproduction may change. Of the runs with the whole product: every file that was there before the run and
 * every installed module. Of every run: what lies beside the checkout (the script, the pristine checkout, new files), where it
 * would outlive the run. A script may add files and folders of its own, and links to what its checkout held before. Caches of tools (a
 * name with a dot directly in node_modules, `__pycache__`) are no modules.
 */
export function forbiddenChanges(records: readonly RunRecord[]): string[] {
  const changes = records.flatMap(({ kind, changes: seen }) =>
    kind === "real" || kind === "renumbered" ? seen : seen.filter(({ path }) => path.startsWith(BESIDE)),
  );
  const forbidden = changes.filter(({ path, type }) => {
    if (CACHE.test(path) || type === "linked") return false;
    return type !== "added" || path.startsWith(BESIDE) || MODULES.test(path);
  });
  return [...new Set(forbidden.map(({ path }) => path))];
}

const BESIDE = "../";
const CACHE = /(?:^|\/)(?:node_modules\/\.[^/]+|__pycache__|\.pytest_cache|\.cache)(?:\/|$)|\.pyc$/;
const MODULES = /(?:^|\/)node_modules(?:\/|$)/;
