import type { IssueRef } from "../../github/index.ts";
import { assessIfThere, type BatchWork, isCandidate } from "../../triage/index.ts";

/**
 * Returns the work on one issue, which is read directly: GitHub's lists of labelled issues lag, and a visit names its issue.
 * Unlike an issue that a person names, a visited issue is not forced: eligibility, cooldown and waits after failures apply.
 */
export function visitWork(ref: IssueRef, work: BatchWork, runIdSuffix: string): BatchWork {
  return {
    ...work,
    runIdSuffix,
    select: async (context) => {
      const lookup = await context.ports.reader.issue(ref, context.stop);
      if (lookup.type === "gone")
        return { candidates: [], skipped: [{ ref, reason: `issue-${lookup.reason}` }] };
      const assessed = await assessIfThere(lookup.issue, (one) =>
        work.assess(one, context, context.stop, null),
      );
      if ("goneAs" in assessed) return { candidates: [], skipped: [{ ref, reason: assessed.goneAs }] };
      if (isCandidate(assessed)) return { candidates: [assessed], skipped: [] };
      return { candidates: [], skipped: [{ ref, reason: assessed.eligibility.reason }] };
    },
  };
}
