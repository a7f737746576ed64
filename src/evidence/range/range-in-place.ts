import type { Clock } from "agent-tty/kit";
import type { Range } from "../grade.ts";
import { placeHistory } from "./place-history.ts";
import { probeCommit, type ProbeSettings } from "./place-probe.ts";
import { npmRegistry } from "./place-registry.ts";
import type { PlaceShell } from "./place-shell.ts";
import { type RangeRequest, searchRange } from "./search-range.ts";

/**
 * Searches the range (V4) after the verification, in a place with the pristine checkout that the pipeline created. Rejects with
 * WORKSPACE_LOST or the signal's reason.
 */
export async function rangeInPlace(
  request: RangeRequest & ProbeSettings,
  shell: PlaceShell & { clock: Clock },
): Promise<Range> {
  const { clock } = shell;
  const endsMs = clock.monotonicMs() + request.budgetMs;
  const inBudget = {
    ...shell,
    remainingMs: () => Math.max(1, Math.min(shell.remainingMs(), endsMs - clock.monotonicMs())),
  };
  return searchRange(request, {
    history: placeHistory(request.claim.script, shell),
    registry: npmRegistry(request, inBudget),
    probe: async (commit) => probeCommit(commit, request, inBudget),
    clock,
    signal: shell.signal,
  });
}
