import type { Clock } from "agent-tty/kit";
import type { Range } from "../grade.ts";
import { probeCommit, type ProbeSettings } from "./place-probe.ts";
import type { PlaceShell } from "./place-shell.ts";
import { rangeInPlace } from "./range-in-place.ts";
import { type ReportedTagRequest, reportedTag } from "./reported-tag.ts";

/** A bug that shows on the reported version and no longer on the default branch. */
export interface AlreadyFixed {
  /** The reported version. */
  version: string;
  commit: string;
  /** Every run of the script on it showed the bug. */
  runs: number;
  range: Range;
}

export interface FixedRequest extends ProbeSettings, ReportedTagRequest {
  /** Commit of the default branch, where the bug did not show. */
  head: string;
  /** On the reported version. */
  runs: number;
  budgetMs: number;
}

/**
 * V5: whether the bug shows in every run on the version that the report names, and the script succeeds on the default
 * branch. null: no version is named or tagged, or a run says something else. Rejects with WORKSPACE_LOST.
 */
export async function alreadyFixed(
  request: FixedRequest,
  shell: PlaceShell & { clock: Clock },
): Promise<AlreadyFixed | null> {
  const reported = await reportedTag({ ...request, script: request.claim.script }, shell);
  if (reported === null || reported.commit === request.head) return null;
  const head = await probeCommit(request.head, request, shell);
  if (head.type !== "good") return null;
  for (let run = 1; run <= request.runs; run += 1)
    if ((await probeCommit(reported.commit, request, shell)).type !== "bad") return null;
  const range = await rangeInPlace(
    { ...request, bad: reported.commit, head: { commit: request.head, state: "good" } },
    shell,
  );
  return { ...reported, runs: request.runs, range };
}
