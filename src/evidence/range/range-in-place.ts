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
  return searchRange(request, {
    history: placeHistory(request.claim.script, shell),
    registry: npmRegistry(request, shell),
    probe: async (commit) => probeCommit(commit, request, shell),
    clock: shell.clock,
    signal: shell.signal,
  });
}
