import type { RunRecord } from "../run-record.ts";

/**
 * What runs with the whole product changed and no reproduction may touch: files that were there before, the modules beside the
 * product, and what lies beside the checkout, where it would outlive the run. Caches of tools (a name with a dot directly in node_modules, `__pycache__`) are no modules.
 */
export function forbiddenChanges(records: readonly RunRecord[]): string[] {
  const changes = records
    .filter(({ kind }) => kind === "real" || kind === "renumbered")
    .flatMap((run) => run.changes);
  const forbidden = changes.filter(
    ({ path, type }) =>
      !CACHE.test(path) && (type !== "added" || /^\.\.\/|(?:^|\/)node_modules\//.test(path)),
  );
  return [...new Set(forbidden.map(({ path }) => path))];
}

const CACHE = /(?:^|\/)(?:node_modules\/\.[^/]+|__pycache__|\.pytest_cache|\.cache)(?:\/|$)|\.pyc$/;
