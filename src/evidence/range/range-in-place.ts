import type { Range } from "../grade.ts";
import { type ManifestName, manifestName } from "./manifest-name.ts";
import { placeHistory } from "./place-history.ts";
import { probeCommit, type ProbeSettings } from "./place-probe.ts";
import { npmRegistry } from "./place-registry.ts";
import type { SearchShell } from "./place-shell.ts";
import { type RangeRequest, searchRange } from "./search-range.ts";

/**
 * Returns the range (V4), which is searched after the verification, in a place with the pristine checkout that the pipeline
 * created. Rejects with WORKSPACE_LOST or the signal's reason.
 */
export async function rangeInPlace(
  request: RangeRequest & ProbeSettings,
  shell: SearchShell,
): Promise<Range> {
  const { clock, tell } = shell;
  const endsMs = clock.monotonicMs() + request.budgetMs;
  const inBudget = {
    ...shell,
    remainingMs: () => Math.max(1, Math.min(shell.remainingMs(), endsMs - clock.monotonicMs())),
  };
  let runs = 0;
  const tellRun = (at: string): void => {
    runs += 1;
    tell(`range search: run ${runs}, on ${at}`);
  };
  let manifest: ReturnType<typeof manifestName> | null = null;
  const readManifest = async (): Promise<ManifestName | null> =>
    (manifest ??= manifestName(request.claim.script, shell));
  const registry = npmRegistry(readManifest, request, inBudget);
  return searchRange(request, {
    history: placeHistory(readManifest, shell),
    registry: {
      ...registry,
      probe: async (version, signal) => {
        tellRun(`version ${version}`);
        return registry.probe(version, signal);
      },
    },
    probe: async (commit) => {
      tellRun(`commit ${commit.slice(0, 10)}`);
      return probeCommit(commit, request, inBudget);
    },
    clock,
    signal: shell.signal,
  });
}
