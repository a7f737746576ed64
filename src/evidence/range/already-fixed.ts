import type { Range } from "../grade.ts";
import type { EvidenceSummary } from "../grading/index.ts";
import { probeCommit, type ProbeSettings } from "./place-probe.ts";
import type { SearchShell } from "./place-shell.ts";
import { rangeInPlace } from "./range-in-place.ts";
import { type ReportedTagRequest, reportedTag } from "./reported-tag.ts";

/** A bug that shows on the reported version, but no longer on the default branch. */
export interface AlreadyFixed {
  /** The reported version. */
  version: string;
  commit: string;
  /** The number of real runs of the script on the reported version; each showed the bug. */
  runs: number;
  /** The grade of these runs and their controls. */
  grade: EvidenceSummary;
  range: Range;
}

export interface FixedRequest extends ProbeSettings, ReportedTagRequest {
  /** The default branch's commit, on which the bug did not show. */
  head: string;
  /** Returns the time for the range search in milliseconds. It is called when the search starts. */
  budgetMs: () => number;
}

export interface FixedPorts extends SearchShell {
  /** Verifies the script on a commit with the whole pipeline (V9). null: the bug could not be verified there. */
  verifyOn: (commit: string) => Promise<Pick<AlreadyFixed, "runs" | "grade"> | null>;
}

/**
 * Returns the bug if it is verified on the version that the report names, and the script succeeds on the default branch (V5). null:
 * no version is named, the version has no tag, or the runs have other results. Rejects with WORKSPACE_LOST.
 */
export async function alreadyFixed(request: FixedRequest, shell: FixedPorts): Promise<AlreadyFixed | null> {
  const reported = await reportedTag({ ...request, script: request.claim.script }, shell);
  if (reported === null || reported.commit === request.head) return null;
  const head = await probeCommit(request.head, request, shell);
  if (head.type !== "good") return null;
  const verified = await shell.verifyOn(reported.commit);
  if (verified === null) return null;
  const range = await rangeInPlace(
    {
      ...request,
      budgetMs: request.budgetMs(),
      bad: reported.commit,
      head: { commit: request.head, state: "good" },
    },
    shell,
  );
  return { ...reported, ...verified, range };
}
