import type { RunRecord } from "../run-record.ts";

/**
 * The paths that no reproduction may change, of the runs with the whole product: every file that was there before the run,
 * every installed module, and what lies beside the checkout, where it would outlive the run. A script may add files and
 * folders of its own, and links to what its checkout held before. Caches of tools (a name with a dot directly in
 * node_modules, `__pycache__`) are no modules.
 */
export function forbiddenChanges(records: readonly RunRecord[]): string[] {
  const changes = records.flatMap(({ kind, changes: seen }) =>
    kind === "real" || kind === "renumbered" ? seen : seen.filter(({ path }) => path === SCRIPT),
  );
  const forbidden = changes.filter(({ path, type }) => {
    if (CACHE.test(path) || type === "linked") return false;
    return type !== "added" || path.startsWith("../") || MODULES.test(path);
  });
  return [...new Set(forbidden.map(({ path }) => path))];
}

/** The script itself, which no run of any kind may change. */
const SCRIPT = "../reproduction";
const CACHE = /(?:^|\/)(?:node_modules\/\.[^/]+|__pycache__|\.pytest_cache|\.cache)(?:\/|$)|\.pyc$/;
const MODULES = /(?:^|\/)node_modules(?:\/|$)/;
